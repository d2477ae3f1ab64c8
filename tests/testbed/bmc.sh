#!/bin/bash
# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
#
# Simulated controllers of machines, for tests of the helper programs: each
# speaks IPMI (OpenIPMI's ipmi_sim) and Redfish. The machine behind controller
# N is a process: power off ends it, power on starts it.
#
#   check            can they run here? If not: says why, exit 77
#   install          apt-get the packages (Debian)
#   up [N]           start N controllers (3), write BMC_DIR/helpers.conf
#   down             end what `up` started, remove BMC_DIR
#   status           one line a controller
#   temp N CELSIUS   what that sensor reads; a warning from 75, critical from 85
#   fan N RPM        the same; critical below 1000
#   hang N, unhang N the controller accepts packets and does nothing
#   die N            the machine ends by itself
#   machine N        the process of a machine that is on
#   fault N KIND     fail (refuses), lies-off, lies-on (says so whatever is),
#                    stuck (takes commands, does nothing), conflict (Redfish:
#                    409 if it is so already), no-off (Redfish: has no
#                    ForceOff), nonsense (Redfish), none
#
# Controller N is at 127.0.1.N, IPMI at BMC_IPMI_PORT (9623), Redfish at
# BMC_REDFISH_PORT (9443), user orderly with the password secret-N, and viewer
# with view-N, who may only look. BMC_DIR is where all is kept.
set -u -o pipefail

FILES=$(dirname "$(readlink -f "$0")")/bmc
export BMC_DIR=${BMC_DIR:-/var/tmp/orderly-bmc}
IPMI_PORT=${BMC_IPMI_PORT:-9623}
REDFISH_PORT=${BMC_REDFISH_PORT:-9443}
PACKAGES="ipmitool openipmi fence-agents curl openssl python3"
PROGRAMS="ipmitool ipmi_sim fence_ipmilan curl openssl python3"
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

die() { printf 'bmc.sh: %s\n' "$*" >&2; exit 1; }

# A number in a pid file is trusted only if that process carries our tag.
ours() {
  [ -s "$1" ] && { tr '\0' '\n' < "/proc/$(cat "$1")/environ"; } 2>/dev/null |
    grep -qx "BMC_DIR=$BMC_DIR"
}

node() {
  [ -d "$BMC_DIR/node${1:-none}" ] || die "there is no controller '${1:-}'"
  echo "$BMC_DIR/node$1"
}

each() { find "$BMC_DIR" -maxdepth 1 -name 'node*' -type d | sort -V; }

end() { # SIGNAL PIDFILE
  ours "$2" && kill -CONT "$(cat "$2")" && kill "-$1" "$(cat "$2")"
  rm -f "$2"
}

do_check() {
  local program
  for program in $PROGRAMS; do
    command -v "$program" >/dev/null || {
      echo "no simulated controllers here: $program is missing; as root:" \
        "tests/testbed/bmc.sh install"
      exit 77
    }
  done
}

do_install() {
  (do_check >/dev/null) && return 0
  [ "$(id -u)" = 0 ] || die "must be root to install $PACKAGES"
  # The simulators are started here, not by their packages.
  local guard='' code=0
  [ -e /usr/sbin/policy-rc.d ] || guard=/usr/sbin/policy-rc.d
  [ -z "$guard" ] || printf '#!/bin/sh\nexit 101\n' > "$guard"
  [ -z "$guard" ] || chmod +x "$guard"
  apt-get -q update
  # shellcheck disable=SC2086  # a list
  DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
    install -y --no-install-recommends $PACKAGES || code=$?
  [ -z "$guard" ] || rm -f "$guard"
  return $code
}

secret() { (umask 077; printf '%s\n' "$2" > "$BMC_DIR/$1.password"); }

# What helpers have to know: nodeN, and some that cannot work.
configure() { # COUNT
  local i n password
  secret wrong no-such-password
  cat <<EOF
[*]
user = orderly
time_limit = 10
read_limit = 4
off_time = 1
[* oob-ipmi]
port = $IPMI_PORT
[* oob-redfish]
port = $REDFISH_PORT
ca_file = $BMC_DIR/ca.pem
[* oob-fence-agent]
port = $IPMI_PORT
agent = fence_ipmilan
option.lanplus = 1
option.cipher = 3
option.power_timeout = 4
[redfish-agent]
address = 127.0.1.3
password_file = $BMC_DIR/node3.password
[redfish-agent oob-fence-agent]
agent = fence_redfish
port = $REDFISH_PORT
option.lanplus = 0
option.ssl_insecure = 1
[dead]
address = 127.0.1.99
password_file = $BMC_DIR/wrong.password
EOF
  for i in $(seq 1 "$1"); do
    secret "node$i" "secret-$i"
    secret "viewer$i" "view-$i"
    for n in "node$i" "wrong$i" "viewer$i" "untrusted$i"; do
      printf '[%s]\naddress = 127.0.1.%s\n' "$n" "$i"
      case $n in
        viewer*) echo "user = viewer" && password=$n ;;
        wrong*) password=wrong ;;
        *) password=node$i ;;
      esac
      echo "password_file = $BMC_DIR/$password.password"
    done
    printf '[untrusted%s oob-redfish]\nca_file = %s\n' "$i" \
      "$BMC_DIR/other.pem"
    # ipmi_sim gives a session more than the user has, unless it asks for less.
    printf '[viewer%s oob-ipmi]\nprivilege = USER\n' "$i"
    printf '[viewer%s oob-fence-agent]\noption.privlvl = user\n' "$i"
  done
}

certificate() { # NAME
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
    -days 2 -subj "/CN=$1" -keyout "$BMC_DIR/$1.key" -out "$BMC_DIR/$1.pem" \
    -addext "subjectAltName=IP:127.0.1.1,IP:127.0.1.2,IP:127.0.1.3" \
    2>/dev/null || die "openssl could not make a certificate"
}

prepare() { # N FOLDER
  mkdir -p "$2/state"
  echo 42 > "$2/temp"
  echo 48 > "$2/fan" # times 100
  cat > "$2/lan.conf" <<EOF
name "node$1"
set_working_mc 0x20
startlan 1
  addr 127.0.1.$1 $IPMI_PORT
  priv_limit admin
  allowed_auths_user md5
  allowed_auths_operator md5
  allowed_auths_admin md5
  guid a0000000000000000000000000000$(printf %03d "$1")
endlan
chassis_control "$FILES/chassis.sh $2"
user 2 true "orderly" "secret-$1" admin 10 md5
user 3 true "viewer" "view-$1" user 10 md5
EOF
  python3 "$FILES/emulator.py" "$2" > "$2/node.emu"
}

start() { # N FOLDER
  ours "$2/ipmi.pid" || {
    (cd "$2" && exec setsid ipmi_sim -n -c lan.conf -f node.emu -s "$2/state") \
      </dev/null >"$2/ipmi.log" 2>&1 &
    echo $! > "$2/ipmi.pid"
  }
  ours "$2/redfish.pid" || {
    setsid python3 "$FILES/redfish.py" "$1" "$REDFISH_PORT" \
      </dev/null >"$2/redfish.log" 2>&1 &
    echo $! > "$2/redfish.pid"
  }
}

answers() { # N
  local log=$BMC_DIR/node$1
  for _ in $(seq 1 100); do
    if IPMI_PASSWORD=secret-$1 ipmitool -I lanplus -C 3 -E -U orderly \
      -H "127.0.1.$1" -p "$IPMI_PORT" -N 1 -R 1 chassis power status \
      >/dev/null 2>&1 &&
      curl -sk "https://127.0.1.$1:$REDFISH_PORT/redfish/v1" >/dev/null; then
      ours "$log/ipmi.pid" && ours "$log/redfish.pid" && return 0
    fi
    sleep 0.1
  done
  cat "$log/ipmi.log" "$log/redfish.log" >&2
  die "controller $1 is not at 127.0.1.$1, ports $IPMI_PORT, $REDFISH_PORT"
}

do_up() {
  local count=${1:-3} i
  do_check
  mkdir -p "$BMC_DIR" && chmod 700 "$BMC_DIR"
  [ -s "$BMC_DIR/ca.pem" ] || { certificate ca; certificate other; }
  configure "$count" > "$BMC_DIR/helpers.conf"
  for i in $(seq 1 "$count"); do
    [ -d "$BMC_DIR/node$i" ] || prepare "$i" "$BMC_DIR/node$i"
    start "$i" "$BMC_DIR/node$i"
  done
  for i in $(seq 1 "$count"); do answers "$i"; done
  do_status
}

do_down() {
  local d
  [ -d "$BMC_DIR" ] || return 0
  [ -s "$BMC_DIR/helpers.conf" ] || die "$BMC_DIR is none of ours"
  for d in $(each); do
    end TERM "$d/redfish.pid"
    end TERM "$d/ipmi.pid"
    end KILL "$d/machine.pid"
  done
  rm -rf --one-file-system "$BMC_DIR"
}

do_status() {
  local d part pid fault
  for d in $(each); do
    printf '%s' "${d##*/}"
    for part in ipmi redfish machine; do
      pid=-
      ours "$d/$part.pid" && pid=$(cat "$d/$part.pid")
      printf ' %s=%s' "$part" "$pid"
    done
    [ -s "$d/fault" ] && fault=$(cat "$d/fault") || fault=none
    printf ' temp=%s fault=%s\n' "$(cat "$d/temp")" "$fault"
  done
}

signal_both() { # SIGNAL N
  local d part
  d=$(node "$2") || exit 1
  for part in ipmi redfish; do
    ours "$d/$part.pid" && kill "-$1" "$(cat "$d/$part.pid")"
  done
}

do_fault() {
  local d
  d=$(node "$1") || exit 1
  case ${2:-} in
    none) rm -f "$d/fault" ;;
    fail | lies-off | lies-on | stuck | conflict | no-off | nonsense)
      echo "$2" > "$d/fault" ;;
    *) die "there is no fault '${2:-}'" ;;
  esac
}

verb=${1:-}
[ $# -eq 0 ] || shift
case $verb in
  check | install | up | down | status | fault) "do_$verb" "$@" ;;
  temp) d=$(node "${1:-}") && echo "$2" > "$d/temp" ;;
  fan) d=$(node "${1:-}") && echo $(($2 / 100)) > "$d/fan" ;;
  hang) signal_both STOP "${1:-}" ;;
  unhang) signal_both CONT "${1:-}" ;;
  die) d=$(node "${1:-}") && end KILL "$d/machine.pid" ;;
  machine)
    d=$(node "${1:-}") && ours "$d/machine.pid" && cat "$d/machine.pid" ;;
  *) sed -n '5,28s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
