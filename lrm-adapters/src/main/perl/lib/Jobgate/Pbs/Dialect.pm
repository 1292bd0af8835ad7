# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Pbs::Dialect;

# Which PBS we talk to. TORQUE (2.5 - 6) and OpenPBS with PBS Pro (13 - 23) have the same ancestor and differ in what they call things.

use strict;
use warnings;

# name: torque or openpbs; version: its first number
sub new {
    my ($class, $name, $version) = @_;
    return bless { name => $name, version => $version }, $class;
}

# By what `qstat --version` prints: OpenPBS "pbs_version = 20.0.1" on standard output; TORQUE "Version: 6.1.2" or "version: 2.5.7" on standard error.
# TORQUE counts to 7 and calls itself pbs_version elsewhere. Undef where it is neither.
sub of {
    my ($class, $text) = @_;
    return $class->new($1 >= 8 ? 'openpbs' : 'torque', $1) if $text =~ /^\s*pbs_version\s*=\s*([0-9]{1,4})[.\s]/mi;
    return $class->new('torque', $1) if $text =~ /^version:\s*([0-9]{1,4})[.\s]/mi;
    return;
}

sub name      { return $_[0]{name} }
sub is_torque { return $_[0]{name} eq 'torque' }

# --- the commands -----------------------------------------------------------------------------------------------------------------

# All that is known of everybody's live jobs. Not with what keeps long values in one line (-w, -1): old versions refuse it.
sub listing { return [ 'qstat', '-f' ] }

# All that is known of these jobs, also of those that are over. TORQUE shows them to everybody for as long as keep_completed says; OpenPBS has a
# history, which may be switched off. Not as JSON: since December 2023 OpenPBS's holds one job of many, and silently leaves out the others.
sub record {
    my ($self, $history, @ids) = @_;
    return [ 'qstat', ($history && !$self->is_torque ? '-x' : ()), '-f', @ids ];
}

1;
