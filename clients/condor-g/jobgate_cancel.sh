#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
# For HTCondor's blahpd: put it into its libexec directory beside jobgate-gahp (docs/operate/condor-g.md).
exec "$(dirname -- "$0")/jobgate-gahp" cancel "$@"
