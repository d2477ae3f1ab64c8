// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// By hand: the way of a node that dies goes from left to right, what leads back
// goes above it, and what gives up on it, or gives it back, below.

#include "sim/pictures/layout.hpp"

#include <array>

namespace orderly::sim::pictures {

namespace {

using enum ha_phase;

constexpr std::array all_places{
  place{available, {150, 300}},  place{suspect, {430, 300}},
  place{checking, {710, 300}},   place{recovering, {990, 300}},
  place{recovered, {1270, 300}}, place{degraded, {570, 520}},
  place{fencing, {990, 520}},    place{fenced, {1270, 520}},
  place{ineligible, {150, 520}}, place{disabled, {150, 800}},
};

constexpr std::array all_others{point{330, 800}, point{1302, 440}};

/// The way to fenced, in the row of the states themselves.
std::vector<wire> straight() {
  return {
    {{"HealthCheckFailed"},
     suspect,
     {{available, {{210, 290}}}},
     {{210, 290}, {370, 290}},
     {232, 284}},
    {{"HealthCheckPassed"},
     available,
     {{suspect, {{370, 310}}}},
     {{370, 310}, {210, 310}},
     {232, 325}},
    {{"PerformActivityCheck"},
     checking,
     {{suspect, {{490, 290}}}},
     {{490, 290}, {650, 290}},
     {506, 284}},
    {{"TooFewActivityCheckSamples", "ActivityCheckNotAdmitted",
      "ServiceRestart"},
     suspect,
     {{checking, {{650, 310}}}},
     {{650, 310}, {490, 310}},
     {496, 364}},
    {{"ActivityCheckFailureOverThresholdRatio"},
     recovering,
     {{checking, {{770, 300}}}},
     {{770, 300}, {930, 300}},
     {786, 294},
     false,
     true},
    {{"Recovered", "RecoveryOutcomeUnknown"},
     recovered,
     {{recovering, {{1050, 300}}}},
     {{1050, 300}, {1210, 300}},
     {1054, 294}},
    {{"Fenced"},
     fenced,
     {{fencing, {{1050, 520}}}},
     {{1050, 520}, {1210, 520}},
     {1060, 514}},
  };
}

/// To degraded, and from it.
std::vector<wire> beside() {
  return {
    {{"ActivityCheckFailureUnderThresholdRatio", "MassFailureGuard"},
     degraded,
     {{checking, {{674, 322}}}},
     {{674, 322}, {674, 520}, {630, 520}},
     {681, 496},
     false,
     true},
    {{"PeriodicRecheckResourceActivity"},
     suspect,
     {{degraded, {{510, 520}}}},
     {{510, 520}, {430, 520}, {430, 322}},
     {436, 471},
     false,
     true},
    {{"HealthCheckPassed"},
     available,
     {{degraded, {{540, 498}}}},
     {{540, 498}, {540, 478}, {200, 478}, {200, 322}},
     {212, 472}},
  };
}

/// What leads back, or over several states, above them.
std::vector<wire> above() {
  return {
    {{"Ineligible"},
     ineligible,
     {{suspect, {{382, 278}, {382, 60}}},
      {checking, {{710, 278}, {710, 60}}},
      {recovering, {{1014, 278}, {1014, 60}}},
      {recovered, {{1306, 278}, {1306, 60}, {1014, 60}}}},
     {{1014, 60}, {20, 60}, {20, 520}, {90, 520}},
     {150, 54}},
    {{"HealthCheckPassed"},
     available,
     {{checking, {{686, 278}, {686, 95}}},
      {recovered, {{1282, 278}, {1282, 95}, {686, 95}}}},
     {{686, 95}, {126, 95}, {126, 278}},
     {150, 89}},
    {{"OrderedOn"},
     recovered,
     {{available, {{174, 278}, {174, 130}, {406, 130}}},
      {suspect, {{406, 278}, {406, 130}}},
      {checking, {{734, 278}, {734, 130}}}},
     {{406, 130}, {1258, 130}, {1258, 278}},
     {766, 124}},
    {{"RecoveryWaitPeriodTimeout"},
     suspect,
     {{recovered, {{1234, 278}}}},
     {{1234, 278}, {1234, 165}, {430, 165}, {430, 278}},
     {766, 159}},
    {{"PersonWish"},
     suspect,
     {{recovering, {{990, 278}}}},
     {{990, 278}, {990, 200}, {454, 200}, {454, 278}},
     {766, 194}},
    {{"ServiceRestart"},
     suspect,
     {{recovering, {{966, 278}}}},
     {{966, 278}, {966, 235}, {478, 235}, {478, 278}},
     {766, 229}},
  };
}

/// To fencing and from it.
std::vector<wire> below() {
  return {
    {{"RecoveryOperationThresholdExceeded"},
     fencing,
     {{suspect, {{478, 322}, {478, 400}, {746, 400}}},
      {checking, {{746, 322}, {746, 400}}},
      {recovering, {{990, 322}, {990, 400}}}},
     {{746, 400}, {990, 400}, {990, 498}},
     {760, 394}},
    {{"PowerOffConfirmed"},
     fencing,
     {{suspect, {{454, 322}, {454, 440}, {570, 440}}},
      {degraded, {{570, 498}, {570, 440}}},
      {checking, {{722, 322}, {722, 440}}}},
     {{570, 440}, {966, 440}, {966, 498}},
     {760, 434}},
    {{"OrderedOn"},
     recovered,
     {{fencing, {{1026, 498}, {1026, 420}, {1130, 420}}},
      {degraded, {{594, 542}, {594, 580}, {1130, 580}, {1130, 420}}}},
     {{1130, 420}, {1234, 420}, {1234, 322}},
     {1142, 414}},
    {{"OperatorWord"},
     fenced,
     {{std::nullopt, {{1302, 453}}}},
     {{1302, 453}, {1302, 498}},
     {1308, 480}},
    {{"PersonWish"},
     suspect,
     {{fencing, {{954, 542}}}},
     {{954, 542}, {954, 610}, {414, 610}, {414, 322}},
     {766, 604}},
    {{"ServiceRestart"},
     suspect,
     {{fencing, {{978, 542}}}, {degraded, {{546, 542}, {546, 640}}}},
     {{978, 542}, {978, 640}, {398, 640}, {398, 322}},
     {766, 634}},
    {{"HealthCheckFailed"},
     suspect,
     {{fenced, {{1246, 542}}}},
     {{1246, 542}, {1246, 670}, {382, 670}, {382, 322}},
     {766, 664}},
  };
}

/// In and out of what is not treated.
std::vector<wire> aside() {
  return {
    {{"Ineligible"},
     ineligible,
     {{available, {{116, 322}}}},
     {{116, 322}, {116, 498}},
     {111, 424},
     true},
    {{"Eligible"},
     available,
     {{ineligible, {{140, 498}}}},
     {{140, 498}, {140, 322}},
     {146, 424}},
    {{"Ineligible"},
     ineligible,
     {{degraded, {{510, 534}}}},
     {{510, 534}, {210, 534}},
     {224, 528}},
    {{"Ineligible"},
     ineligible,
     {{fencing, {{1014, 542}, {1014, 700}}},
      {fenced, {{1270, 542}, {1270, 700}, {1014, 700}}}},
     {{1014, 700}, {174, 700}, {174, 542}},
     {766, 694}},
    {{"HealthCheckPassed"},
     ineligible,
     {{fenced, {{1294, 542}}}},
     {{1294, 542}, {1294, 730}, {150, 730}, {150, 542}},
     {766, 724}},
    {{"Enabled"},
     available,
     {{disabled, {{90, 800}}}},
     {{90, 800}, {50, 800}, {50, 300}, {90, 300}},
     {56, 660}},
    {{"Disabled"},
     disabled,
     {{std::nullopt, {{286, 800}}}},
     {{286, 800}, {210, 800}},
     {222, 794}},
  };
}

} // namespace

std::span<const place> places() {
  return all_places;
}

std::span<const point> any_others() {
  return all_others;
}

std::span<const wire> wires() {
  static const auto all = [] {
    auto result = straight();
    for (auto more : {beside(), above(), below(), aside()})
      result.insert(result.end(), more.begin(), more.end());
    return result;
  }();
  return all;
}

} // namespace orderly::sim::pictures
