// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Scenarios of spec host-ha (section F), those of switches, time limits, power
// and restarts.

#include "tests/actors/policy/host_ha/world.hpp"

#include <catch2/catch.hpp>

namespace orderly::host_ha::host_ha_corner_scenarios_test {

namespace {

const scenario scenarios[] = {
  {
    .title = "H26: enable on a host without neighbour: Available then "
             "Ineligible at once",
    .given = "state=Dis",
    .inputs = "enabled=no neighbours=0",
    .script = "7:enabled=yes 33:neighbours=1",
    .until = 60,
    .moves = "7:Dis>Av 7:Av>Inel 33:Inel>Av",
    .events = "7:X.INELIGIBLE 33:E.ELIGIBLE",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H27: disable while a recovery is running: result ignored",
    .settings = "max_checks=3",
    .inputs = "t_recover=30 healthy=no activity=inactive",
    .script = "90:enabled=no",
    .until = 150,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 90:Rcg>Dis",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover",
    .events = "10:E.HEALTH_FAILED 110:X.STALE_RESULT_IGNORED",
    .alerts = "80:A.RECOVERING",
    .final = "Dis 0 0 0 0",
  },
  {
    .title = "H28: maintenance begun while Suspect: Ineligible, back "
             "after cancel",
    .settings = "max_checks=3",
    .inputs = "healthy=no activity=active",
    .script = "25:maintenance=yes 55:healthy=yes 60:maintenance=no",
    .until = 100,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 25:Sus>Inel 60:Inel>Av",
    .operations = "20:activity_check",
    .events = "10:E.HEALTH_FAILED 25:X.INELIGIBLE 60:E.ELIGIBLE",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H30: becoming ineligible does not interrupt a fence",
    .settings = "max_checks=3",
    .inputs = "recover=fail t_fence=20 healthy=no activity=inactive",
    .script = "85:neighbours=0",
    .until = 140,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 80:Rcg>Fcg 100:Fcg>Fcd",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover 80:maintenance_on 80:fence 100:host_down "
                  "100:restart_vms",
    .events = "10:E.HEALTH_FAILED",
    .alerts = "80:A.RECOVERING 100:A.FENCED_RECOVERY_FAILED",
    .final = "Fcd 0 0 0 0",
  },
  {
    .title = "H32: health passes while an activity check is in flight",
    .settings = "max_checks=3",
    .inputs = "t_activity=25 healthy=no activity=inactive",
    .script = "28:healthy=yes",
    .until = 80,
    .moves = "10:Av>Sus 20:Sus>Chk 30:Chk>Av",
    .operations = "20:activity_check",
    .events = "10:E.HEALTH_FAILED 30:E.SUSPECT_OK "
              "45:X.STALE_RESULT_IGNORED",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H33: health check slower than its timeout counts as failed",
    .settings = "health_timeout=10 health_interval=20",
    .inputs = "t_health=12",
    .until = 35,
    .moves = "30:Av>Sus",
    .events = "30:E.HEALTH_FAILED",
    .final = "Sus 0 0 0 0",
  },
  {
    .title = "H34: activity check that times out is an attempt but not a "
             "failure",
    .settings = "max_checks=3",
    .inputs = "healthy=no activity=hang|inactive|inactive",
    .until = 260,
    .moves = "10:Av>Sus 20:Sus>Chk 80:Chk>Sus 100:Sus>Chk 100:Chk>Sus "
             "140:Sus>Chk 140:Chk>Deg",
    .operations = "20:activity_check 100:activity_check 140:activity_check",
    .events = "10:E.HEALTH_FAILED 80:X.ACTIVITY_INCONCLUSIVE "
              "140:E.DEGRADED",
    .final = "Deg 0 0 0 0",
  },
  {
    .title = "H35: storage outage: every check answers error, host must "
             "not be fenced",
    .settings = "max_checks=3",
    .inputs = "healthy=no activity=error",
    .until = 500,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Deg 380:Deg>Sus 390:Sus>Chk 390:Chk>Sus "
             "410:Sus>Chk 410:Chk>Sus 450:Sus>Chk 450:Chk>Deg",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "390:activity_check 410:activity_check 450:activity_check",
    .events = "10:E.HEALTH_FAILED 20:X.ACTIVITY_INCONCLUSIVE "
              "40:X.ACTIVITY_INCONCLUSIVE 80:X.ACTIVITY_INCONCLUSIVE "
              "80:E.DEGRADED 380:E.RECHECK 390:X.ACTIVITY_INCONCLUSIVE "
              "410:X.ACTIVITY_INCONCLUSIVE 450:X.ACTIVITY_INCONCLUSIVE "
              "450:E.DEGRADED",
    .final = "Deg 0 0 0 0",
  },
  {
    .title = "H37: decay 10,20,40,80,160,250,250 with a cap of 250",
    .settings = "act_cap=250",
    .inputs = "healthy=no activity=inactive",
    .until = 830,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Sus 160:Sus>Chk 160:Chk>Sus 320:Sus>Chk "
             "320:Chk>Sus 570:Sus>Chk 570:Chk>Sus 820:Sus>Chk "
             "820:Chk>Sus",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "160:activity_check 320:activity_check 570:activity_check "
                  "820:activity_check",
    .events = "10:E.HEALTH_FAILED",
    .final = "Sus 7 7 0 0",
  },
  {
    .title = "H39: restart in Checking: sample discarded, state "
             "re-evaluated, not stuck",
    .settings = "max_checks=3",
    .inputs = "t_activity=30 healthy=no activity=inactive",
    .script = "25:restart",
    .until = 70,
    .moves = "10:Av>Sus 20:Sus>Chk 25:Chk>Sus 35:Sus>Chk 65:Chk>Sus",
    .operations = "20:activity_check 35:activity_check",
    .events = "10:E.HEALTH_FAILED",
    .final = "Sus 1 1 0 0",
  },
  {
    .title = "H40: restart during a dispatched reset: no second reset, "
             "wait then health",
    .settings = "max_checks=3 recover_wait=100",
    .inputs = "t_recover=30 healthy=no activity=inactive",
    .script = "90:restart 150:healthy=yes",
    .until = 230,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 90:Rcg>Rcd 190:Rcd>Av",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover",
    .events = "10:E.HEALTH_FAILED 190:E.RECOVERED",
    .alerts = "80:A.RECOVERING",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H44: ON to UNKNOWN while Available: Ineligible, back on ON",
    .script = "15:power=Unknown 47:power=On",
    .until = 80,
    .moves = "15:Av>Inel 47:Inel>Av",
    .events = "15:X.INELIGIBLE 47:E.ELIGIBLE",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H45: ON to UNKNOWN while Degraded: stays Degraded; UNKNOWN "
             "to ON too",
    .given = "state=Deg since=0",
    .inputs = "healthy=no",
    .script = "15:power=Unknown 47:power=On",
    .until = 120,
    .final = "Deg 0 0 0 0",
  },
  {
    .title = "H47: commanded power-off of an Available host: Ineligible; "
             "ON again: Available",
    .script = "12:power=Off 12:power_commanded=yes 12:healthy=no "
              "50:power=On 50:power_commanded=no 50:healthy=yes",
    .until = 90,
    .moves = "12:Av>Inel 50:Inel>Av",
    .events = "12:X.INELIGIBLE 50:E.ELIGIBLE",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H48: unsolicited power loss (chassis reads Off): fenced "
             "without waiting the window",
    .script = "12:power=Off 12:healthy=no 12:activity=inactive",
    .until = 60,
    .moves = "20:Av>Sus 20:Sus>Fcg 20:Fcg>Fcd",
    .operations = "20:maintenance_on 20:fence 20:host_down 20:restart_vms",
    .events = "20:E.HEALTH_FAILED",
    .alerts = "20:X.FENCED_POWER_OFF",
    .final = "Fcd 0 0 0 0",
  },
  {
    .title = "H57: disabled and enabled again starts with clean counters",
    .given = "state=Sus since=-30 checks=2 failures=2",
    .settings = "max_checks=3",
    .inputs = "healthy=no activity=inactive",
    .script = "4:enabled=no 6:enabled=yes",
    .until = 40,
    .moves = "4:Sus>Dis 6:Dis>Av 10:Av>Sus 20:Sus>Chk 20:Chk>Sus "
             "40:Sus>Chk 40:Chk>Sus",
    .operations = "20:activity_check 40:activity_check",
    .events = "10:E.HEALTH_FAILED",
    .final = "Sus 2 2 0 0",
  },
  {
    .title = "H58: Suspect with no recovery attempt left is fenced",
    .given = "state=Sus since=0 recoveries=1",
    .inputs = "healthy=no activity=inactive",
    .until = 30,
    .moves = "0:Sus>Fcg 0:Fcg>Fcd",
    .operations = "0:maintenance_on 0:fence 0:host_down 0:restart_vms",
    .alerts = "0:A.FENCED_MAX_ATTEMPTS",
    .final = "Fcd 0 0 0 0",
  },
  {
    .title = "H61: Off reading is ignored while the health check passes",
    .script = "13:power=Off",
    .until = 60,
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H62: maintenance of a Degraded host: Ineligible",
    .given = "state=Deg since=0",
    .inputs = "healthy=no",
    .script = "17:maintenance=yes",
    .until = 40,
    .moves = "17:Deg>Inel",
    .events = "17:X.INELIGIBLE",
    .final = "Inel 0 0 0 0",
  },
  {
    .title = "H66: storage answers come back within the window: errors "
             "then passes",
    .settings = "max_checks=4",
    .inputs = "healthy=no activity=error|error|active|active",
    .until = 150,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Sus 140:Sus>Chk 140:Chk>Deg",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "140:activity_check",
    .events = "10:E.HEALTH_FAILED 20:X.ACTIVITY_INCONCLUSIVE "
              "40:X.ACTIVITY_INCONCLUSIVE 140:E.DEGRADED",
    .final = "Deg 0 0 0 0",
  },
  {
    .title = "H67: single timeout of the host's health check heals "
             "without any activity check",
    .settings = "health_timeout=5",
    .inputs = "healthy=hang|yes",
    .until = 40,
    .moves = "15:Av>Sus 20:Sus>Av",
    .events = "15:E.HEALTH_FAILED 20:E.SUSPECT_OK",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H68: restart while Suspect waits the same interval again "
             "and keeps samples",
    .settings = "max_checks=3",
    .inputs = "healthy=no activity=inactive",
    .script = "33:restart",
    .until = 125,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 53:Sus>Chk 53:Chk>Sus "
             "93:Sus>Chk 93:Chk>Rcg 93:Rcg>Rcd",
    .operations = "20:activity_check 53:activity_check 93:activity_check "
                  "93:recover",
    .events = "10:E.HEALTH_FAILED",
    .alerts = "93:A.RECOVERING",
    .final = "Rcd 0 0 0 1",
  },
};

} // namespace

TEST_CASE("host HA follows the conformance scenarios H23 to H68") {
  for (const auto& x : scenarios)
    check(x);
}

} // namespace orderly::host_ha::host_ha_corner_scenarios_test
