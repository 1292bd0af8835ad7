# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Globus::Core::Paths;

# Where a site's GRAM modules look for their configuration and programs. Jobgate's own, for modules that others wrote.

use strict;
use warnings;

our ($prefix, $sysconfdir) = ('/usr', $ENV{JOBGATE_LEGACY_SYSCONFDIR} || '/etc');
our ($exec_prefix, $bindir, $sbindir, $libdir, $libexecdir, $datadir, $localstatedir) =
    ($prefix, "$prefix/bin", "$prefix/sbin", "$prefix/lib", "$prefix/share/globus", "$prefix/share", '/var');
our $perlmoduledir = "$prefix/share/perl5";

my %PATHS = (prefix => $prefix, exec_prefix => $exec_prefix, sysconfdir => $sysconfdir, bindir => $bindir, sbindir => $sbindir, libdir => $libdir,
    libexecdir => $libexecdir, datadir => $datadir, localstatedir => $localstatedir, perlmoduledir => $perlmoduledir);

# A text with ${name} of these paths filled in; other names stay as they are.
sub filled_in {
    my ($text) = @_;
    $text =~ s/\$\{(\w+)\}/$PATHS{$1} \/\/ "\${$1}"/ge;
    return $text;
}

1;
