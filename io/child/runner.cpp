// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

#include "io/child/runner.hpp"

#include "io/child/launch.hpp"
#include "io/child/leftovers.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <deque>
#include <optional>
#include <set>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/steady_timer.hpp>
#include <poll.h>
#include <sys/wait.h>

namespace orderly::io::child {

namespace {

using boost::system::error_code;

/// A process that KILL does not end (it hangs in the kernel) is not waited
/// for any longer than this, though it keeps its slot.
constexpr auto give_up_after = seconds{5};

/// Looks for what helpers left that follow the end of one, or the last find.
constexpr int sweeps_least = 2;

/// True if the child is no more; `how` is then filled. It stays a zombie, so
/// that its process group's id cannot be given to others.
bool has_ended(int pidfd, siginfo_t& how) {
  how = {};
  auto result = ::waitid(P_PIDFD, static_cast<id_t>(pidfd), &how,
                         WEXITED | WNOHANG | WNOWAIT);
  return result != 0 || how.si_pid != 0;
}

/// One of the two streams of a helper.
struct stream {
  boost::asio::readable_pipe pipe;
  std::array<char, 16384> chunk{};
  std::string kept;
  bool truncated = false;
  bool open = true;

  explicit stream(boost::asio::readable_pipe from) : pipe(std::move(from)) {
    // nop
  }
};

} // namespace

/// The slots and the queue. Lives as long as a job or the runner.
struct runner::pool : std::enable_shared_from_this<pool> {
  boost::asio::io_context& context;
  runner_limits limits;
  launcher starter;
  std::set<job*> running;
  std::deque<std::weak_ptr<job>> waiting; ///< their timers keep them alive
  leftovers rest;
  boost::asio::steady_timer sweep;
  int sweeps = 0; ///< still to do

  pool(boost::asio::io_context& ctx, runner_limits bounds)
    : context(ctx),
      limits(std::move(bounds)),
      starter(ctx),
      rest(limits.scope, limits.alone),
      sweep(ctx) {
    rest.adopt();
  }

  void admit(command what, callback done);
  void fill();
  void sweep_soon();
  void sweep_in(millis pause);
};

/// One command from its acceptance to its answer. Kept alive by its handlers.
class runner::job : public std::enable_shared_from_this<job> {
public:
  job(std::shared_ptr<pool> owner, command what, callback done)
    : pool_(std::move(owner)),
      command_(std::move(what)),
      done_(std::move(done)),
      timer_(pool_->context) {
    // nop
  }

  ~job();
  void accept();
  bool start();
  void cut(); ///< asks it to end, and makes it

private:
  enum class stage { waiting, running, terminating, killed, abandoned, ended };

  [[nodiscard]] millis patience() const;
  void arm(std::chrono::steady_clock::time_point until);
  void arm(millis wait);
  void on_timer();
  void leave_queue();
  void read(stream& from);
  void watch();
  void on_exit(const siginfo_t& how);
  void settle();
  void answer();
  void signal_group(int number) const;

  std::shared_ptr<pool> pool_;
  command command_;
  callback done_;
  boost::asio::steady_timer timer_;
  std::chrono::steady_clock::time_point ends_; ///< of its whole time
  stage stage_ = stage::waiting;
  outcome result_;
  pid_t pid_ = -1;            ///< -1: no child that would have to be reaped
  bool group_pinned_ = false; ///< the group's id is surely still ours
  std::optional<boost::asio::posix::stream_descriptor> leader_;
  std::optional<stream> out_;
  std::optional<stream> err_;
};

runner::job::~job() {
  // Only when the loop is destroyed under a running program.
  if (pid_ == -1)
    return;
  leftovers::leave(pid_);
  signal_group(SIGKILL);
  if (leader_) {
    pollfd ended{leader_->native_handle(), POLLIN, 0};
    ::poll(&ended, 1, 1000);
  }
  ::waitpid(pid_, nullptr, WNOHANG);
}

void runner::job::signal_group(int number) const {
  if (group_pinned_)
    ::kill(-pid_, number);
}

/// How long it may wait for its start.
millis runner::job::patience() const {
  auto within = command_.start_within;
  return within == millis::zero() ? command_.time_limit
                                  : std::min(within, command_.time_limit);
}

void runner::job::arm(millis wait) {
  arm(std::chrono::steady_clock::now() + wait);
}

void runner::job::arm(std::chrono::steady_clock::time_point until) {
  timer_.expires_at(until);
  timer_.async_wait([self = shared_from_this()](const error_code& problem) {
    // A handler that was already due is not called back by a new expiry.
    auto early = self->timer_.expiry() > std::chrono::steady_clock::now();
    if (!problem && !early)
      self->on_timer();
  });
}

void runner::job::accept() {
  ends_ = std::chrono::steady_clock::now() + command_.time_limit;
  arm(patience());
}

void runner::job::on_timer() {
  switch (stage_) {
  case stage::waiting:
    leave_queue();
    break;
  case stage::running:
    result_.timed_out = true;
    cut();
    break;
  case stage::terminating:
    stage_ = stage::killed;
    signal_group(SIGKILL);
    arm(give_up_after);
    break;
  case stage::killed:
    stage_ = stage::abandoned;
    answer();
    break;
  case stage::ended:
    settle();
    break;
  case stage::abandoned:
    break;
  }
}

void runner::job::cut() {
  if (stage_ != stage::running)
    return;
  stage_ = stage::terminating;
  signal_group(SIGTERM);
  arm(pool_->limits.kill_delay);
}

void runner::job::leave_queue() {
  std::erase_if(pool_->waiting, [this](const std::weak_ptr<job>& x) {
    return x.lock().get() == this;
  });
  stage_ = stage::ended;
  result_.refused = "it waited " + std::to_string(patience().count())
                    + " ms for one of the "
                    + std::to_string(pool_->limits.parallel_max)
                    + " slots for helper programs";
  answer();
}

bool runner::job::start() {
  auto mark = pool_->rest.next_mark();
  auto child = pool_->starter.start(command_, mark);
  if (!child) {
    timer_.cancel();
    stage_ = stage::ended;
    result_.refused = child.why().text;
    answer();
    return false;
  }
  pid_ = child->pid;
  leftovers::enter(pid_, mark);
  group_pinned_ = true;
  leader_.emplace(std::move(child->leader));
  out_.emplace(std::move(child->out));
  err_.emplace(std::move(child->err));
  stage_ = stage::running;
  arm(ends_);
  read(*out_);
  read(*err_);
  watch();
  return true;
}

void runner::job::read(stream& from) {
  from.pipe.async_read_some(
    boost::asio::buffer(from.chunk),
    [self = shared_from_this(), &from](const error_code& problem,
                                       std::size_t size) {
      auto most = self->pool_->limits.output_max;
      auto taken = std::min(size, most - from.kept.size());
      from.kept.append(from.chunk.data(), taken);
      if (taken < size && !std::exchange(from.truncated, true)
          && self->pool_->limits.end_when_full)
        self->cut();
      if (!problem) {
        self->read(from); // beyond the bound too: a full pipe would block it
        return;
      }
      from.open = false;
      if (self->stage_ == stage::ended)
        self->settle();
    });
}

void runner::job::watch() {
  leader_->async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [self = shared_from_this()](const error_code& problem) {
                        if (problem)
                          return;
                        siginfo_t how;
                        if (has_ended(self->leader_->native_handle(), how))
                          self->on_exit(how);
                        else
                          self->watch(); // readiness of the number's past life
                      });
}

void runner::job::on_exit(const siginfo_t& how) {
  if (how.si_pid == 0)
    group_pinned_ = false; // somebody else reaped it: the id may be anyone's
  else if (how.si_code == CLD_EXITED)
    result_.exit_code = how.si_status;
  else
    result_.signal = how.si_status;
  stage_ = stage::ended;
  arm(pool_->limits.drain);
  if (!out_->open && !err_->open)
    settle();
}

/// The leader is gone; ends the rest as soon as nothing more is to be read.
void runner::job::settle() {
  auto over = timer_.expiry() <= std::chrono::steady_clock::now();
  if (pid_ == -1 || ((out_->open || err_->open) && !over))
    return;
  timer_.cancel();
  signal_group(SIGKILL);
  ::waitpid(pid_, nullptr, WNOHANG);
  leftovers::leave(pid_);
  pid_ = -1;
  pool_->sweep_soon();
  error_code ignored;
  leader_->close(ignored);
  answer();
  auto owner = pool_;
  owner->running.erase(this);
  owner->fill();
}

void runner::job::answer() {
  error_code ignored;
  if (out_) {
    result_.out = std::move(out_->kept);
    result_.err = std::move(err_->kept);
    result_.out_truncated = out_->truncated;
    result_.err_truncated = err_->truncated;
    out_->pipe.close(ignored);
    err_->pipe.close(ignored);
  }
  if (auto done = std::exchange(done_, nullptr))
    done(std::move(result_));
}

void runner::pool::admit(command what, callback done) {
  if (waiting.size() >= limits.queued_max
      && running.size() >= limits.parallel_max) {
    outcome refusal;
    refusal.refused = "the queue is full: " + std::to_string(waiting.size())
                      + " helper programs wait already";
    done(std::move(refusal));
    return;
  }
  auto next = std::make_shared<job>(shared_from_this(), std::move(what),
                                    std::move(done));
  next->accept();
  waiting.push_back(next);
  fill();
}

void runner::pool::fill() {
  while (running.size() < limits.parallel_max && !waiting.empty()) {
    auto next = waiting.front().lock();
    waiting.pop_front();
    if (next && next->start())
      running.insert(next.get());
  }
}

/// Whoever left a group that has ended comes to us when his parent is gone:
/// mostly at once, and after a moment if he is on his way. As long as some are
/// found there may be theirs, too.
void runner::pool::sweep_soon() {
  if (std::exchange(sweeps, sweeps_least) == 0)
    sweep_in(millis{20});
}

void runner::pool::sweep_in(millis pause) {
  sweep.expires_after(pause);
  sweep.async_wait([self = shared_from_this()](const error_code& problem) {
    if (problem)
      return;
    if (self->rest.end_orphans() > 0)
      self->sweeps = sweeps_least;
    if (--self->sweeps > 0)
      self->sweep_in(seconds{1});
  });
}

runner::runner(loop& where, runner_limits limits)
  : pool_(std::make_shared<pool>(where.context(), std::move(limits))),
    loop_(where) {
  // nop
}

runner::~runner() = default;

void runner::end_rest() {
  pool_->rest.end_all();
}

void runner::close() {
  loop_.post([where = pool_] {
    where->limits.parallel_max = where->limits.queued_max = 0;
    for (auto* x : where->running)
      x->cut();
  });
}

void runner::run(command what, callback done) {
  loop_.post(
    [where = pool_, what = std::move(what), done = std::move(done)]() mutable {
      where->admit(std::move(what), std::move(done));
    });
}

} // namespace orderly::io::child
