// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// Scenarios of spec host-ha (section F), those of health, windows and fences.

#include "tests/actors/policy/host_ha/world.hpp"

#include <catch2/catch.hpp>

namespace orderly::host_ha::host_ha_watch_scenarios_test {

namespace {

const scenario scenarios[] = {
  {
    .title = "H01: healthy host stays Available",
    .until = 60,
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H02: health failure makes it Suspect and then it heals",
    .script = "15:healthy=no 21:healthy=yes",
    .until = 60,
    .moves = "20:Av>Sus 30:Sus>Av",
    .events = "20:E.HEALTH_FAILED 30:E.SUSPECT_OK",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H03: too few samples loops Suspect/Checking",
    .inputs = "healthy=no activity=inactive",
    .until = 45,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus",
    .operations = "20:activity_check 40:activity_check",
    .events = "10:E.HEALTH_FAILED",
    .final = "Sus 2 2 0 0",
  },
  {
    .title = "H04: full window of passes ends Degraded",
    .settings = "max_checks=3",
    .inputs = "healthy=no activity=active",
    .until = 120,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Deg",
    .operations = "20:activity_check 40:activity_check 80:activity_check",
    .events = "10:E.HEALTH_FAILED 80:E.DEGRADED",
    .final = "Deg 0 0 0 0",
  },
  {
    .title = "H05: full window of failures ends in recovery, success, "
             "wait, Available",
    .settings = "max_checks=3",
    .inputs = "healthy=no activity=inactive",
    .script = "200:healthy=yes",
    .until = 720,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 80:Rcg>Rcd 680:Rcd>Av",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover",
    .events = "10:E.HEALTH_FAILED 680:E.RECOVERED",
    .alerts = "80:A.RECOVERING",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H06: default window of ten: decision at second 500",
    .inputs = "healthy=no activity=inactive",
    .until = 510,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Sus 140:Sus>Chk 140:Chk>Sus 200:Sus>Chk "
             "200:Chk>Sus 260:Sus>Chk 260:Chk>Sus 320:Sus>Chk "
             "320:Chk>Sus 380:Sus>Chk 380:Chk>Sus 440:Sus>Chk "
             "440:Chk>Sus 500:Sus>Chk 500:Chk>Rcg 500:Rcg>Rcd",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "140:activity_check 200:activity_check 260:activity_check "
                  "320:activity_check 380:activity_check 440:activity_check "
                  "500:activity_check 500:recover",
    .events = "10:E.HEALTH_FAILED",
    .alerts = "500:A.RECOVERING",
    .final = "Rcd 0 0 0 1",
  },
  {
    .title = "H07: ratio boundary: 7 of 10 at 0.7 is NOT over the "
             "threshold",
    .inputs = "healthy=no "
              "activity=inactive|inactive|inactive|inactive|inactive|inactive|"
              "inactive|active|active|active",
    .until = 505,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Sus 140:Sus>Chk 140:Chk>Sus 200:Sus>Chk "
             "200:Chk>Sus 260:Sus>Chk 260:Chk>Sus 320:Sus>Chk "
             "320:Chk>Sus 380:Sus>Chk 380:Chk>Sus 440:Sus>Chk "
             "440:Chk>Sus 500:Sus>Chk 500:Chk>Deg",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "140:activity_check 200:activity_check 260:activity_check "
                  "320:activity_check 380:activity_check 440:activity_check "
                  "500:activity_check",
    .events = "10:E.HEALTH_FAILED 500:E.DEGRADED",
    .final = "Deg 0 0 0 0",
  },
  {
    .title = "H08: ratio boundary: 8 of 10 at 0.7 is over",
    .inputs = "healthy=no "
              "activity=active|active|inactive|inactive|inactive|inactive|"
              "inactive|inactive|inactive|inactive",
    .until = 505,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Sus 140:Sus>Chk 140:Chk>Sus 200:Sus>Chk "
             "200:Chk>Sus 260:Sus>Chk 260:Chk>Sus 320:Sus>Chk "
             "320:Chk>Sus 380:Sus>Chk 380:Chk>Sus 440:Sus>Chk "
             "440:Chk>Sus 500:Sus>Chk 500:Chk>Rcg 500:Rcg>Rcd",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "140:activity_check 200:activity_check 260:activity_check "
                  "320:activity_check 380:activity_check 440:activity_check "
                  "500:activity_check 500:recover",
    .events = "10:E.HEALTH_FAILED",
    .alerts = "500:A.RECOVERING",
    .final = "Rcd 0 0 0 1",
  },
  {
    .title = "H10: Degraded heals",
    .given = "state=Deg since=0",
    .inputs = "healthy=no",
    .script = "95:healthy=yes",
    .until = 120,
    .moves = "100:Deg>Av",
    .events = "100:E.DEGRADED_OK",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H11: Degraded stays on failed health, recheck after 300 s",
    .given = "state=Deg since=0",
    .settings = "max_checks=3",
    .inputs = "healthy=no activity=active",
    .until = 400,
    .moves = "300:Deg>Sus 310:Sus>Chk 310:Chk>Sus 330:Sus>Chk "
             "330:Chk>Sus 370:Sus>Chk 370:Chk>Deg",
    .operations = "310:activity_check 330:activity_check 370:activity_check",
    .events = "300:E.RECHECK 370:E.DEGRADED",
    .final = "Deg 0 0 0 0",
  },
  {
    .title = "H13: recovery refused, default one attempt: fenced, "
             "maintenance first, VMs restarted",
    .settings = "max_checks=3",
    .inputs = "recover=fail healthy=no activity=inactive",
    .until = 120,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 80:Rcg>Fcg 80:Fcg>Fcd",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover 80:maintenance_on 80:fence 80:host_down "
                  "80:restart_vms",
    .events = "10:E.HEALTH_FAILED",
    .alerts = "80:A.RECOVERING 80:A.FENCED_RECOVERY_FAILED",
    .final = "Fcd 0 0 0 0",
  },
  {
    .title = "H14: recovery hangs: fenced after the 60 s timeout",
    .settings = "max_checks=3",
    .inputs = "recover=hang healthy=no activity=inactive",
    .until = 180,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 140:Rcg>Fcg 140:Fcg>Fcd",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover 140:maintenance_on 140:fence 140:host_down "
                  "140:restart_vms",
    .events = "10:E.HEALTH_FAILED",
    .alerts = "80:A.RECOVERING 140:A.FENCED_RECOVERY_FAILED",
    .final = "Fcd 0 0 0 0",
  },
  {
    .title = "H15: three attempts allowed: two failures then success",
    .settings = "max_checks=3 max_recover=3 recover_wait=100",
    .inputs = "recover=fail|fail|ok healthy=no activity=inactive",
    .script = "150:healthy=yes",
    .until = 320,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 110:Rcg>Rcd 210:Rcd>Av",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover 90:recover 110:recover",
    .events = "10:E.HEALTH_FAILED 210:E.RECOVERED",
    .alerts = "80:A.RECOVERING",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H16: recovered but still unhealthy after the wait: fenced "
             "without a second reset",
    .settings = "max_checks=3 recover_wait=100",
    .inputs = "healthy=no activity=inactive",
    .until = 260,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 80:Rcg>Rcd 180:Rcd>Sus 180:Sus>Fcg "
             "180:Fcg>Fcd",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover 180:maintenance_on 180:fence 180:host_down "
                  "180:restart_vms",
    .events = "10:E.HEALTH_FAILED 180:E.HEALTH_FAILED",
    .alerts = "80:A.RECOVERING 180:A.FENCED_MAX_ATTEMPTS",
    .final = "Fcd 0 0 0 0",
  },
  {
    .title = "H18: counter is reset only by a passing health check",
    .settings = "max_checks=3 recover_wait=50 max_recover=1",
    .inputs = "healthy=no activity=inactive",
    .script = "100:healthy=yes 165:healthy=no",
    .until = 330,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 80:Rcg>Rcd 130:Rcd>Av 170:Av>Sus "
             "180:Sus>Chk 180:Chk>Sus 200:Sus>Chk 200:Chk>Sus "
             "240:Sus>Chk 240:Chk>Rcg 240:Rcg>Rcd 290:Rcd>Sus "
             "290:Sus>Fcg 290:Fcg>Fcd",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover 180:activity_check 200:activity_check "
                  "240:activity_check 240:recover 290:maintenance_on "
                  "290:fence 290:host_down 290:restart_vms",
    .events = "10:E.HEALTH_FAILED 130:E.RECOVERED 170:E.HEALTH_FAILED "
              "290:E.HEALTH_FAILED",
    .alerts = "80:A.RECOVERING 240:A.RECOVERING 290:A.FENCED_MAX_ATTEMPTS",
    .final = "Fcd 0 0 0 0",
  },
  {
    .title = "H19: fence refused three times then accepted; stuck-alert "
             "once",
    .settings = "max_checks=3",
    .inputs = "recover=fail fence=fail|fail|fail|ok healthy=no "
              "activity=inactive",
    .until = 200,
    .moves = "10:Av>Sus 20:Sus>Chk 20:Chk>Sus 40:Sus>Chk 40:Chk>Sus "
             "80:Sus>Chk 80:Chk>Rcg 80:Rcg>Fcg 150:Fcg>Fcd",
    .operations = "20:activity_check 40:activity_check 80:activity_check "
                  "80:recover 80:maintenance_on 80:fence 90:fence 110:fence "
                  "150:fence 150:host_down 150:restart_vms",
    .events = "10:E.HEALTH_FAILED 80:X.FENCE_FAILED 90:X.FENCE_FAILED "
              "110:X.FENCE_FAILED",
    .alerts = "80:A.RECOVERING 80:X.FENCE_STUCK "
              "150:A.FENCED_RECOVERY_FAILED",
    .final = "Fcd 0 0 0 0",
  },
  {
    .title = "H22: fenced and powered on again in maintenance: stays "
             "Fenced",
    .given = "state=Fcd",
    .inputs = "maintenance=yes healthy=no",
    .script = "55:healthy=yes",
    .until = 120,
    .events = "60:X.FENCED_HEALTHY_IN_MAINTENANCE",
    .final = "Fcd 0 0 0 0",
  },
  {
    .title = "H23: operator ends maintenance after repair: Fenced to "
             "Ineligible to Available",
    .given = "state=Fcd",
    .inputs = "maintenance=yes healthy=no",
    .script = "30:healthy=yes 65:maintenance=no",
    .until = 120,
    .moves = "70:Fcd>Inel 70:Inel>Av",
    .events = "30:X.FENCED_HEALTHY_IN_MAINTENANCE 70:E.ELIGIBLE",
    .final = "Av 0 0 0 0",
  },
  {
    .title = "H25: enable: Disabled to Available",
    .given = "state=Dis",
    .inputs = "enabled=no",
    .script = "7:enabled=yes",
    .until = 40,
    .moves = "7:Dis>Av",
    .final = "Av 0 0 0 0",
  },
};

} // namespace

TEST_CASE("host HA follows the conformance scenarios H01 to H22") {
  for (const auto& x : scenarios)
    check(x);
}

} // namespace orderly::host_ha::host_ha_watch_scenarios_test
