# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Globus::GRAM::JobDescription;

# The description of a job as a GRAM module reads it: attributes by name, in any case and with or without underscores, each a list
# (facts/gram4.md §8.2).

use strict;
use warnings;

our $AUTOLOAD;

# attributes: name => [values]
sub new {
    my ($class, $attributes) = @_;
    my $self = bless {}, ref $class || $class;
    $self->add($_, $attributes->{$_}) for keys %$attributes;
    return $self;
}

sub _key {
    my ($name) = @_;
    $name = lc $name;
    $name =~ tr/_//d;
    return $name;
}

sub add {
    my ($self, $name, $value) = @_;
    $self->{ _key($name) } = ref $value eq 'ARRAY' ? $value : [$value];
    return;
}

# One plain value as it is, others as a reference to their list.
sub get {
    my ($self, $name) = @_;
    my $values = $self->{ _key($name) } // return;
    return @$values == 1 && !ref $values->[0] ? $values->[0] : $values;
}

# Nothing is kept in a file: the description goes to the module in one process.
sub save                            { return 0 }
sub fix_library_path_environment    { return }
sub print_recursive                 { my ($self) = @_; return join ', ', map { "$_=@{ $self->{$_} }" } sort keys %$self }

sub AUTOLOAD {
    my ($self) = @_;
    my ($name) = $AUTOLOAD =~ /(\w+)\z/;
    return if $name eq 'DESTROY';
    my @values = @{ $self->{ _key($name) } // [] };
    return @values if wantarray;
    return @values == 1 ? $values[0] : @values ? undef : $self->absent;
}

# What an attribute is that was not given, where one value is asked for.
sub absent { return undef }

package Globus::GRAM::DefaultHandlingJobDescription;

# The same for modules that ask without looking whether it is there.

use strict;
use warnings;

our @ISA = ('Globus::GRAM::JobDescription');

sub absent { return '' }

1;
