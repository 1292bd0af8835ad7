#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# What holds for the code of every adapter.

use strict;
use warnings;

use FindBin ();
use mro     ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";

my @adapters = map { m{/(\w+)\.pm\z} } glob "$FindBin::RealBin/../../main/perl/lib/Jobgate/Adapter/*.pm";
cmp_ok scalar @adapters, '>=', 7, 'the adapters are found';

# A private method of the same name as one of a parent replaces it: the parent then calls the wrong one.
for my $class (map { "Jobgate::Adapter::$_" } @adapters) {
    eval "require $class; 1" or BAIL_OUT("$class does not load: $@");
    my ($own, @parents) = map { private_subs($_) } @{ mro::get_linear_isa($class) };
    my @replaced = grep { my $name = $_; grep { $_->{$name} } @parents } sort keys %$own;
    is "@replaced", '', "$class replaces no private method of its parents";
}

sub private_subs {
    my ($class) = @_;
    no strict 'refs';
    return { map { $_ => 1 } grep { /\A_[a-z]/ && defined &{"${class}::$_"} } keys %{"${class}::"} };
}

done_testing;
