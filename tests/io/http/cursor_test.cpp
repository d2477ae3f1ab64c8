// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Lists that are read page by page while the cluster changes.

#include "io/http/renderer.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <random>
#include <set>

namespace orderly::http_cursor_test {

using namespace orderly::io::http;

namespace {

/// A cluster whose instances come and go; those with an even number stay.
class cluster {
public:
  explicit cluster(unsigned seed) : dice_(seed) {
    for (unsigned i = 0; i < size; ++i)
      put(i);
  }

  static std::string name_of(unsigned number) {
    return "vm" + std::to_string(number);
  }

  void change() {
    for (int i = 0; i < 10; ++i) {
      auto number = 2 * throw_dice(size) + 1;
      if (rows_.erase(name_of(number)) == 0)
        put(number);
      put(2 * throw_dice(size / 2)); // as another row
    }
  }

  [[nodiscard]] scene picture() const {
    scene x;
    for (const auto& [name, row] : rows_)
      x.instances.push_back(row);
    return x;
  }

  static constexpr unsigned size = 60;

private:
  void put(unsigned number) {
    auto row = std::make_shared<instance_row>();
    row->name = name_of(number);
    row->primary = "node" + std::to_string(throw_dice(3));
    rows_[row->name] = std::move(row);
  }

  unsigned throw_dice(unsigned sides) {
    return static_cast<unsigned>(dice_() % sides);
  }

  std::mt19937 dice_;
  std::map<std::string, std::shared_ptr<const instance_row>> rows_;
};

} // namespace

TEST_CASE("whoever is there all the while is on one page and no other, however "
          "a list changes between them") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    cluster all{seed};
    renderer by;
    list_query q;
    q.limit = 1 + seed % 9;
    std::set<std::string> seen;
    for (unsigned pages = 0;; ++pages) {
      REQUIRE(pages < 3 * cluster::size);
      auto text = by.list_instances(all.picture(), q);
      auto page = nlohmann::json::parse(text);
      CHECK(page["instances"].size() <= q.limit);
      for (const auto& row : page["instances"])
        CHECK(seen.insert(row["name"].get<std::string>()).second);
      if (!page.contains("cursor"))
        break;
      q.after = page["cursor"].get<std::string>();
      all.change();
    }
    for (unsigned i = 0; i < cluster::size; i += 2)
      CHECK(seen.count(cluster::name_of(i)) == 1);
  }
}

} // namespace orderly::http_cursor_test
