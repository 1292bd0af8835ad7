# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Globus::Core::Config;

# A site's globus-<lrm>.conf: lines name=value, the value with or without quotes, comments behind #.

use strict;
use warnings;

use Globus::Core::Paths ();

use constant MAX_BYTES => 1024 * 1024;

# Nothing if the file cannot be read: some modules have defaults for that.
sub new {
    my ($class, $path) = @_;
    $path = Globus::Core::Paths::filled_in($path);
    open my $file, '<', $path or return;
    read $file, my $text, MAX_BYTES;
    my %values;
    for my $line (split /\n/, $text // '') {
        my ($name, $value) = $line =~ /\A\s*(\w+)\s*=\s*(.*?)\s*\z/ or next;
        $value = $1 if $value =~ /\A"([^"]*)"/ || $value =~ /\A'([^']*)'/ || $value =~ /\A([^#]*?)\s*#/;
        $values{ lc $name } = Globus::Core::Paths::filled_in($value);
    }
    return bless { values => \%values }, $class;
}

sub get_attribute {
    my ($self, $name) = @_;
    return $self->{values}{ lc $name };
}

1;
