// SPDX-FileCopyrightText: the orderly authors
// SPDX-License-Identifier: BSD-2-Clause

// What systemd wants to know of a service of Type=notify or notify-reload.
// Used by orderlyd; harmless when nobody listens, as in a shell.

#pragma once

#include "messages/time.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace orderly::io {

// Each returns true if a service manager got the news.

/// The start, or a reload, is done.
bool notify_ready();

/// One line for `systemctl status`.
bool notify_status(std::string_view text);

/// The reload that SIGHUP asked for has begun; end it by `notify_ready`.
bool notify_reloading();

/// The service is about to end.
bool notify_stopping();

/// The service is alive. To be said by those who know that it is.
bool notify_watchdog();

/// Sockets that listen already and were handed to us; each once.
std::vector<int> inherited_sockets();

/// The service manager restarts us after this time without `notify_watchdog`;
/// say it twice as often. Nothing: it does not watch.
std::optional<millis> watchdog_interval();

} // namespace orderly::io
