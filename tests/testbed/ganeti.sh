#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# A real multi-node Ganeti 3.0 cluster on one Debian 12 machine, for tests.
#
# Every node is a set of Linux namespaces (mount, net, uts, ipc, pid) with its
# own /etc/ganeti, /var/lib/ganeti, /var/log/ganeti, /run, /srv/ganeti, sshd and
# IP address, on a bridge in a private "hub" network namespace.  Nothing is added
# to the machine's own network or /etc.  The hypervisor is Ganeti's "fake" one;
# LVM, DRBD and the BMCs are simulated, so plain and drbd instances, failover,
# migrate, replace-disks and power control work without support by the kernel.
#
#   check                     can a testbed run here?  If not: says why, exit 77
#   install                   apt-get the packages (Debian)
#   up [--nodes N] [--layout "INSTANCE..."]
#                             bring the cluster up: boot stopped nodes, add what is
#                             missing, save the state (exit 77 as for check)
#   status                    one-screen summary, exit 0 when healthy
#   save | restore            keep the present state (a healthy cluster's) | go back to
#                             the kept one: every node is booted anew, so all processes
#                             in them end, with every instance running
#   down [--keep]             stop everything; remove the state unless --keep
#   on NODE CMD...            run CMD inside a node (ganeti.sh on node1 gnt-node list);
#                             it gets SIGTERM when this command dies; to signal it
#                             and see its exit code: on NODE kill PID
#   exec CMD...               run CMD in the hub's network (it reaches all nodes)
#   power on|off|cycle|status NODE      what the node's BMC does
#   cable on|off NODE         connect or isolate a node that keeps running
#   oob NODE MODE             make the node's BMC misbehave: fail hang garbage exit3
#                             warn slow (0.2 s a call) lies-on lies-off (acknowledges
#                             every command, does nothing, always reports that state);
#                             MODE ok ends it
#   kill NODE DAEMON [SIG]    signal one daemon of a node
#   start NODE DAEMON         start one daemon of a node again
#   watcher                   run ganeti-watcher on every node that is up
#   luxi METHOD [ARGS-JSON]   one LUXI call (also: wait-job ID, wait-ready SECONDS,
#                             wait-idle SECONDS)
#   env                       print variables for a test program
#
# A layout is a list of TEMPLATE@PRIMARY[:SECONDARY]; its items become inst1,
# inst2, ...  With four nodes or more, the first half (rounded up) is in the group
# "default" and the rest in "rack2".
#
# Environment: TESTBED_DIR (where the state is kept), TESTBED_NET (first three
# octets of the private network).  Testbeds with different TESTBED_DIR can run
# side by side.
set -u -o pipefail

SELF=$(readlink -f "$0")
FILES=$(dirname "$SELF")/ganeti
B=$(readlink -m "${TESTBED_DIR:-/var/tmp/ganeti-testbed}")
NET=${TESTBED_NET:-10.77.0}
DOM=gnt.test
NODES=5
LAYOUT="drbd@node2:node3 plain@node2 sharedfile@node2 diskless@node3
        drbd@node3:node1 file@node3 drbd@node4:node5 sharedfile@node5"
RAPI_USER=tester RAPI_PASS=testpw
PACKAGES="ganeti ganeti-os-noop lvm2 openssh-server openssh-client socat iproute2 curl
          procps util-linux python3"
SNAPSHOT=$B/snapshot.tar
# what a snapshot holds of each node, besides what a boot makes anew
NODE_STATE="etc-ganeti var-lib-ganeti var-lib-testbed srv-ganeti root-ssh"
RUN_STATE="run/ganeti/fake-hypervisor run/ganeti/instance-disks run/ganeti/bdev-cache run/testbed"
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

say() { printf '%s testbed: %s\n' "$(date +%T)" "$*"; }
die() { printf 'testbed: %s\n' "$*" >&2; exit 1; }
impossible() { printf 'no testbed here: %s\n' "$*"; exit 77; }
need_root() { [ "$(id -u)" = 0 ] || die "must be root"; }
nodes() { local d; for d in "$B"/nodes/*/; do [ -d "$d" ] && basename "$d"; done 2>/dev/null | sort -V; }
alive() { [ -n "${1:-}" ] && [ -r "/proc/$1/stat" ] && ! grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null; }
# A pid is only trusted when the process's environment carries our tag.
ours() { alive "${1:-}" && { tr '\0' '\n' < "/proc/$1/environ"; } 2>/dev/null | grep -qx "GANETI_TESTBED=$B"; }
pid_of() { cat "$B/nodes/$1/init.pid" 2>/dev/null; }
node_up() { ours "$(pid_of "$1")"; }
hub_pid() { cat "$B/hub.pid" 2>/dev/null; }
hub_net() { nsenter -t "$(hub_pid)" -n "$@"; }
in_node() { local n=$1; shift; nsenter -t "$(pid_of "$n")" -m -n -u -i -p -- "$@"; }
gnt() { in_node node1 "$@"; }
luxi() { "$B/bin/luxi" "$B/nodes/node1/run/ganeti/socket/ganeti-query" "$@"; }
node_ip() { echo "$NET.$((10 + ${1#node}))"; }
wait_for() { local i; for ((i = 0; i < $1 * 20; i++)); do "${@:2}" && return 0; sleep 0.05; done; return 1; }
need_node() { [ -d "$B/nodes/${1:-}" ] && [ -n "${1:-}" ] || die "no such node: ${1:-}"; }
need_up() { need_node "$1"; node_up "$1" || die "$1 is off"; }

# ---------------------------------------------------------------- check, install
do_check() {
  [ "$(id -u)" = 0 ] || impossible "it needs root"
  local tool out
  for tool in unshare nsenter ip mount; do
    command -v $tool >/dev/null || impossible "the command '$tool' is missing"
  done
  # shellcheck disable=SC2016
  out=$(unshare --mount --net --uts --ipc --pid --fork sh -c '
      mount --make-rprivate / && mount -t proc proc /proc && mount -t sysfs sysfs /sys || exit 1
      hostname probe || exit 1
      ip link add br0 type bridge || { echo "no bridge devices"; exit 1; }
      ip link add v0 type veth peer name v1 || { echo "no veth devices"; exit 1; }' 2>&1) ||
    impossible "the kernel or the container forbids namespaces or virtual network devices ($(echo "$out" | tail -1))"
  [ -d /usr/share/ganeti/3.0 ] && command -v gnt-cluster >/dev/null ||
    impossible "Ganeti 3.0 is not installed (run '$SELF install')"
}

do_install() {
  need_root
  local masked='' missing='' p t0=$SECONDS log=/tmp/ganeti-testbed-install.log
  export DEBIAN_FRONTEND=noninteractive
  for p in $PACKAGES; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing="$missing $p"
  done
  if [ -n "$missing" ]; then
    say "installing:$missing"
    # keep the packages from starting daemons on the machine itself
    if [ ! -e /usr/sbin/policy-rc.d ]; then
      printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d; masked=1
    fi
    apt-get -o DPkg::Lock::Timeout=300 update -q >/dev/null || true
    # shellcheck disable=SC2086
    apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends $missing > $log 2>&1
    p=$?
    [ -n "$masked" ] && rm -f /usr/sbin/policy-rc.d
    [ $p = 0 ] || { tail -20 $log; die "apt-get failed"; }
  fi
  say "installed in $((SECONDS - t0)) s: $(dpkg-query -W -f '${Package} ${Version} ' ganeti ganeti-haskell-3.0 ganeti-htools-3.0)"
}

# ---------------------------------------------------------------- files
write_files() { # NUMBER-OF-NODES
  local i n
  mkdir -p "$B"/{bin,nodes,shared,links,oob,ssh}
  chmod 755 "$B"; chmod 777 "$B/links"
  # replaced, not rewritten: running nodes have the old ones mounted or open
  for i in fakelvm luxi oob-helper hub-init node-init; do
    install -m 755 "$FILES/$i" "$B/bin/$i.new" && mv "$B/bin/$i.new" "$B/bin/$i"
  done
  cat "$(readlink -f /usr/share/ganeti/default/ganeti/storage/drbd.py)" "$FILES/fakedrbd.py" > "$B/bin/drbd.py.new"
  mv "$B/bin/drbd.py.new" "$B/bin/drbd.py"
  cat "$(readlink -f /usr/share/ganeti/default/ganeti/hypervisor/hv_fake.py)" "$FILES/fakehv.py" > "$B/bin/hv_fake.py.new"
  mv "$B/bin/hv_fake.py.new" "$B/bin/hv_fake.py"
  [ -f "$B/hosts" ] || write_hosts > "$B/hosts"
  [ -f "$B/ssh/sshd_config" ] || write_ssh
  for ((i = 1; i <= $1; i++)); do
    n=$B/nodes/node$i
    [ -d "$n/etc-ganeti" ] || write_node "$n"
  done
}

write_hosts() {
  local i
  echo "127.0.0.1 localhost"
  echo "$NET.1 hub.$DOM hub"
  echo "$NET.2 cluster.$DOM cluster"
  for ((i = 1; i <= 40; i++)); do echo "$(node_ip node$i) node$i.$DOM node$i"; done
  for ((i = 1; i <= 100; i++)); do echo "$NET.$((100 + i)) inst$i.$DOM inst$i"; done
}

write_ssh() {
  ssh-keygen -q -t rsa -b 2048 -N '' -f "$B/ssh/ssh_host_rsa_key"
  ssh-keygen -q -t rsa -b 2048 -N '' -C testbed -f "$B/ssh/user_rsa"
  : > "$B/ssh/ssh_config"
  cat > "$B/ssh/sshd_config" <<EOF
Port 22
HostKey /etc/ssh/ssh_host_rsa_key
PermitRootLogin prohibit-password
PasswordAuthentication no
UsePAM no
UseDNS no
PidFile /run/sshd.pid
StrictModes no
AuthorizedKeysFile /root/.ssh/authorized_keys
EOF
}

write_node() { # DIRECTORY
  mkdir -p "$1"/{run,etc-ganeti,var-lib-ganeti,var-lib-testbed,var-log-ganeti,srv-ganeti/file-storage,root-ssh}
  cp -a /etc/ganeti/. "$1/etc-ganeti/"
  rm -f "$1/etc-ganeti/file-storage-paths"
  printf '%s\n' /srv/ganeti/file-storage /srv/ganeti/shared-file-storage > "$1/etc-ganeti/file-storage-paths"
  cat > "$1/default-ganeti" <<EOF
NODED_ARGS="--no-mlock"
RAPI_ARGS="--require-authentication"
CONFD_ARGS=""
MOND_ARGS=""
WCONFD_ARGS=""
LUXID_ARGS=""
KVMD_ARGS=""
EOF
  cp "$B/ssh/user_rsa" "$1/root-ssh/id_rsa"
  cp "$B/ssh/user_rsa.pub" "$1/root-ssh/id_rsa.pub"
  cp "$B/ssh/user_rsa.pub" "$1/root-ssh/authorized_keys"
  chmod 700 "$1/root-ssh"; chmod 600 "$1/root-ssh/"*
}

# ---------------------------------------------------------------- hub, nodes, BMC
hub_start() {
  ours "$(hub_pid)" && return 0
  rm -f "$B/hub.pid"
  GANETI_TESTBED=$B setsid unshare --net --mount --uts "$B/bin/hub-init" "$NET.1" </dev/null >"$B/hub.log" 2>&1 &
  wait_for 10 test -s "$B/hub.pid" || { cat "$B/hub.log"; die "cannot create the hub's namespaces"; }
}

bmc_start() {
  ours "$(cat "$B/bmc.pid" 2>/dev/null)" && return 0
  rm -f "$B/bmc.sock"
  GANETI_TESTBED=$B TESTBED_DIR=$B TESTBED_NET=$NET setsid socat -t 60 \
    "UNIX-LISTEN:$B/bmc.sock,fork,mode=600" "EXEC:$SELF _bmc" </dev/null >"$B/bmc.log" 2>&1 &
  echo $! > "$B/bmc.pid"
  wait_for 5 test -S "$B/bmc.sock" || die "the BMC did not start"
}

node_start() {
  local n=$1 i=${1#node} log=$B/nodes/$1/init.log parent try c=''
  node_up "$n" && return 0
  rm -f "$B/nodes/$n/init.pid"
  GANETI_TESTBED=$B setsid unshare --mount --net --uts --ipc --pid --fork \
    "$B/bin/node-init" "$n" "$(node_ip "$n")" </dev/null >"$log" 2>&1 &
  parent=$!
  # the child of unshare is the node's PID 1: hand it a cable
  for ((try = 0; try < 200; try++)); do
    for c in $(pgrep -P "$parent"); do
      grep -qz node-init "/proc/$c/cmdline" 2>/dev/null && break 2
    done
    c=''; sleep 0.05
  done
  [ -n "$c" ] || { cat "$log"; echo "$n did not start"; return 1; }
  hub_net ip link del "v$i" 2>/dev/null
  hub_net ip link add "v$i" type veth peer name eth0 netns "$c" || return 1
  hub_net ip link set "v$i" master br0 up
  wait_for 30 test -s "$B/nodes/$n/init.pid" || { cat "$log"; echo "$n did not boot"; return 1; }
}

nodes_start() { # all of them, at once
  local n p pids=''
  for n in $(nodes); do node_start "$n" & pids="$pids $!"; done
  for p in $pids; do wait "$p" || die "a node did not start"; done
}

node_kill() {
  local p; p=$(pid_of "$1")
  # the cable first: a dead host sends no resets
  hub_net ip link del "v${1#node}" 2>/dev/null
  ours "$p" && kill -9 "$p"
  wait_for 5 eval "! alive '$p'"
  rm -f "$B/nodes/$1/init.pid"
  [ "${2:-}" = keep-links ] || rm -f "$B/links/"*"-$(node_ip "$1")"
  return 0
}

power() {
  local verb=$1 n=${2%%.*}
  [ -n "$n" ] && [ -d "$B/nodes/$n" ] || { echo "unknown host $n"; return 1; }
  case $verb in
    on | power-on) node_start "$n" && echo on;;
    off | power-off) node_kill "$n"; echo off;;
    cycle | power-cycle) node_kill "$n"; node_start "$n" && echo on;;
    status | power-status | health) if node_up "$n"; then echo on; else echo off; fi;;
    *) echo "unknown verb $verb"; return 1;;
  esac
}

do_cable() {
  need_up "${2:-}"
  case $1 in
    on) hub_net ip link set "v${2#node}" up;;
    off) hub_net ip link set "v${2#node}" down;;
    *) die "cable on|off NODE";;
  esac
}

do_oob() {
  need_node "${1:-}"
  case ${2:-} in
    ok) rm -f "$B/oob/$1.mode";;
    fail | hang | garbage | exit3 | warn | slow | lies-on | lies-off) echo "$2" > "$B/oob/$1.mode";;
    *) die "oob: unknown mode ${2:-}";;
  esac
}

# ---------------------------------------------------------------- up
cluster_init() {
  [ -f "$B/nodes/node1/var-lib-ganeti/config.data" ] && return 0
  say "gnt-cluster init"
  gnt gnt-cluster init --no-etc-hosts --no-ssh-init --master-netdev=eth0 \
    --enabled-hypervisors=fake --enabled-disk-templates=diskless,file,sharedfile,plain,drbd \
    --vg-name=xenvg --drbd-usermode-helper=/bin/true --nic-parameters=mode=bridged,link=xen-br0 \
    --file-storage-dir=/srv/ganeti/file-storage --shared-file-storage-dir=/srv/ganeti/shared-file-storage \
    --ipolicy-bounds-specs=min:disk-size=0,cpu-count=1,disk-count=0,memory-size=1,nic-count=0,spindle-use=0/max:disk-size=1048576,cpu-count=8,disk-count=16,memory-size=32768,nic-count=8,spindle-use=12 \
    --node-parameters=oob_program="$B/bin/oob-helper" \
    --default-iallocator=hail cluster.$DOM || die "gnt-cluster init failed"
  printf '%s %s write\n' "$RAPI_USER" "$RAPI_PASS" > "$B/nodes/node1/var-lib-ganeti/rapi/users"
  chmod 644 "$B/nodes/node1/var-lib-ganeti/rapi/users"
}

add_nodes() { # NUMBER; sets CHANGED
  local i group known
  known=" $(gnt gnt-node list --no-headers -o name | tr '\n' ' ') "
  for ((i = 2; i <= $1; i++)); do
    case $known in *" node$i.$DOM "*) continue;; esac
    CHANGED=1 group=default
    if [ "$1" -ge 4 ] && [ $i -gt $((($1 + 1) / 2)) ]; then
      group=rack2
      gnt gnt-group list --no-headers -o name | grep -qx rack2 || gnt gnt-group add rack2 || die "rack2"
    fi
    gnt gnt-node add --no-ssh-key-check --node-group=$group node$i.$DOM || die "cannot add node$i"
    in_node node$i /usr/lib/ganeti/daemon-util start ganeti-confd >/dev/null 2>&1 # node add starts no confd
  done
}

add_instances() { # LAYOUT; sets CHANGED
  local item i=0 disk out known jobs='' j
  known=" $(gnt gnt-instance list --no-headers -o name 2>/dev/null | tr '\n' ' ') "
  for item in $1; do
    i=$((i + 1))
    case $known in *" inst$i.$DOM "*) continue;; esac
    case ${item%%@*} in
      diskless) disk=;;
      drbd) disk="--disk 0:size=512M --no-wait-for-sync";;
      plain | file | sharedfile) disk="--disk 0:size=128M";;
      *) die "layout: unknown template in $item";;
    esac
    CHANGED=1
    # shellcheck disable=SC2086
    out=$(gnt gnt-instance add --submit -t "${item%%@*}" $disk -o noop -H fake -B minmem=128,maxmem=128,vcpus=1 \
      --no-name-check --no-ip-check -n "${item#*@}" "inst$i.$DOM" 2>&1) || die "inst$i: $out"
    jobs="$jobs $(echo "$out" | sed -n 's/^JobID: //p')"
  done
  for j in $jobs; do
    [ "$(luxi wait-job "$j")" = success ] || { gnt gnt-job info "$j" | tail -20; die "instance creation job $j failed"; }
  done
}

do_up() {
  local t0=$SECONDS CHANGED=''
  while [ $# -gt 0 ]; do
    case $1 in
      --nodes) NODES=$2; shift 2;;
      --layout) LAYOUT=$2; shift 2;;
      *) die "up: unknown option $1";;
    esac
  done
  [ "$NODES" -ge 1 ] && [ "$NODES" -le 40 ] || die "--nodes 1..40"
  [ ${#B} -le 55 ] || die "TESTBED_DIR is too long for the path of a unix socket: $B"
  (do_check) || exit $?
  write_files "$NODES"
  hub_start
  bmc_start
  nodes_start
  say "namespaces after $((SECONDS - t0)) s: $(nodes | tr '\n' ' ')"
  cluster_init
  wait_for 60 eval 'luxi QueryClusterInfo >/dev/null 2>&1' || die "luxid does not answer"
  say "cluster after $((SECONDS - t0)) s"
  add_nodes "$NODES"
  say "nodes after $((SECONDS - t0)) s"
  add_instances "$LAYOUT"
  # a cold start leaves the instances down
  if [ -z "$CHANGED" ]; then luxi wait-ready 1 >/dev/null || do_watcher; fi
  if ! luxi wait-ready 20; then say "up, but not healthy, in $((SECONDS - t0)) s"; return 1; fi
  [ -n "$CHANGED" ] || [ ! -f "$SNAPSHOT" ] && do_save
  say "up in $((SECONDS - t0)) s"
}

# ---------------------------------------------------------------- save, restore, down
do_save() {
  local n s list
  luxi wait-ready 0 || die "save: only a healthy cluster can be saved"
  luxi wait-idle 60 >/dev/null || die "save: unfinished jobs"
  cd "$B" || exit 1
  list="shared links"
  for n in $(nodes); do
    for s in $NODE_STATE $RUN_STATE; do [ -e "nodes/$n/$s" ] && list="$list nodes/$n/$s"; done
  done
  # shellcheck disable=SC2086
  tar --numeric-owner --sparse -cf "$SNAPSHOT.new" $list || die "save: tar failed"
  mv "$SNAPSHOT.new" "$SNAPSHOT"
}

do_restore() {
  need_root
  local t0=$EPOCHREALTIME n s p
  [ -f "$SNAPSHOT" ] || die "restore: nothing is saved in $B"
  for n in $(nodes); do node_kill "$n" keep-links & done; wait
  cd "$B" || exit 1
  for n in $(nodes); do
    [ "$(tar -tf "$SNAPSHOT" "nodes/$n/var-lib-ganeti/" 2>/dev/null | wc -l)" = 0 ] && { rm -rf "nodes/$n"; continue; }
    for s in $NODE_STATE run; do rm -rf "nodes/$n/$s"; done
  done
  rm -rf shared links oob/*.mode
  tar --numeric-owner -xpf "$SNAPSHOT" || die "restore: tar failed"
  for n in $(nodes); do touch "nodes/$n/keep-run"; done
  hub_start
  bmc_start
  nodes_start
  luxi wait-ready 60 || die "restore: the cluster is not healthy"
  say "restored in $(awk "BEGIN { printf \"%.1f\", $EPOCHREALTIME - $t0 }") s"
}

do_down() {
  need_root
  local t0=$SECONDS n p keep=''
  [ "${1:-}" = --keep ] && keep=1
  [ -d "$B" ] || { say "nothing at $B"; return 0; }
  for n in $(nodes); do node_kill "$n"; done
  for p in $(cat "$B/bmc.pid" "$B/hub.pid" 2>/dev/null); do ours "$p" && kill "$p" 2>/dev/null; done
  # whatever else carries our tag
  for p in /proc/[0-9]*; do
    p=${p#/proc/}
    [ "$p" != $$ ] && [ "$p" != "$PPID" ] && ours "$p" && kill -9 "$p" 2>/dev/null
  done
  rm -f "$B/bmc.pid" "$B/hub.pid" "$B/bmc.sock"
  if [ -z "$keep" ]; then
    case $B in / | /etc* | /usr* | /var | /tmp | /home*) die "refusing to remove $B";; esac
    [ -x "$B/bin/node-init" ] || die "$B does not look like a testbed"
    rm -rf --one-file-system "$B"
  fi
  say "down in $((SECONDS - t0)) s${keep:+ (state kept)}"
}

# ---------------------------------------------------------------- other verbs
do_status() {
  local n bad=0
  ours "$(hub_pid)" || { echo "testbed is down ($B)"; return 1; }
  for n in $(nodes); do
    if node_up "$n"; then
      printf '%-7s on   %s  %s %s\n' "$n" "$(node_ip "$n")" \
        "$(in_node "$n" ps -eo comm= | grep -E '^ganeti-' | sort -u | tr '\n' ' ')" \
        "$(sed 's/.*/(BMC: &)/' "$B/oob/$n.mode" 2>/dev/null)"
    else
      printf '%-7s OFF  %s\n' "$n" "$(node_ip "$n")"; bad=1
    fi
  done
  node_up node1 || return 1
  gnt gnt-node list -o name,role,pinst_cnt,sinst_cnt,group,offline,drained,powered || bad=1
  gnt gnt-instance list -o name,disk_template,status,pnode,snodes,tags || bad=1
  luxi wait-ready 0 || bad=1
  return $bad
}

do_env() {
  cat <<EOF
TESTBED_DIR=$B
TESTBED_LUXI_SOCKET=$B/nodes/node1/run/ganeti/socket/ganeti-query
TESTBED_RAPI=https://$NET.2:5080
TESTBED_RAPI_NODE1=https://$(node_ip node1):5080
TESTBED_RAPI_USER=$RAPI_USER
TESTBED_RAPI_PASSWORD=$RAPI_PASS
TESTBED_MOND=http://$(node_ip node1):1815
TESTBED_HUB_PID=$(hub_pid)
EOF
}

do_on() {
  need_up "${1:-}"
  local p; p=$(pid_of "$1"); shift
  exec nsenter -t "$p" -m -n -u -i -p -- setpriv --pdeathsig TERM -- "$@"
}

do_kill() {
  need_up "${1:-}"
  local p f=/run/ganeti/$2.pid
  p=$(in_node "$1" cat "$f") || die "no pid file for $2 on $1"
  in_node "$1" kill "-${3:-KILL}" "$p" || return 1
  # without systemd, start-stop-daemon refuses to start over a stale pid file of
  # another user, so a crashed daemon must not leave one behind
  case ${3:-KILL} in
    KILL | 9 | TERM | 15)
      wait_for 5 eval "! in_node $1 kill -0 $p 2>/dev/null" && in_node "$1" rm -f "$f";;
  esac
}

do_start() {
  need_up "${1:-}"
  # shellcheck disable=SC2016
  in_node "$1" sh -c 'f=/run/ganeti/$1.pid; p=$(cat "$f" 2>/dev/null)
    [ -n "$p" ] && ! kill -0 "$p" 2>/dev/null && rm -f "$f"
    exec /usr/lib/ganeti/daemon-util start "$1"' start "$2" 2>&1
}

do_watcher() {
  local n
  for n in $(nodes); do node_up "$n" && in_node "$n" ganeti-watcher "$@"; done
  true
}

verb=${1:-help}; [ $# -gt 0 ] && shift
case $verb in
  check) do_check && echo "a testbed can run here";;
  install) do_install;;
  up) do_up "$@";;
  status) do_status;;
  save) do_save;;
  restore) do_restore;;
  down) do_down "$@";;
  exec) exec nsenter -t "$(hub_pid)" -n -m -u -- "$@";;
  on) do_on "$@";;
  power) power "$@";;
  cable) do_cable "$@";;
  oob) do_oob "$@";;
  kill) do_kill "$@";;
  start) do_start "$@";;
  watcher) do_watcher "$@";;
  luxi) luxi "$@";;
  env) do_env;;
  _bmc) read -r a b && power "$a" "$b";;
  *) sed -n '5,/^set -u/p' "$SELF" | sed '$d;s/^# \{0,1\}//'; [ "$verb" = help ];;
esac
