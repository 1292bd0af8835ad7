# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Slurm::Arrays;

# The job arrays that the gateway has in Slurm: how they are called there, and how Slurm shows their elements, which are counted from 0.

use strict;
use warnings;

use parent 'Jobgate::Arrays';

my $UUID = qr/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

# What Slurm calls the array, and what the comment of its elements is.
sub name    { return "jga-$_[0]" }
sub comment { return "jobgate-array:$_[0]" }

# The array of a name or a comment; undef where it is none of ours.
sub of_texts {
    my ($name, $comment) = @_;
    return $1 if $name =~ /\Ajga-($UUID)\z/ || ($comment // '') =~ /\Ajobgate-array:($UUID)\z/;
    return;
}

# Where Slurm prints: %a is the number of the element.
sub out_pattern { my ($self, $array) = @_; return "$self->{directories}[0]/${array}_%a.out" }

# The ids that one id of sacct stands for, "12_[3-5,7%2]": it shows waiting elements in one line.
sub elements {
    my ($id) = @_;
    my ($job, $list) = $id =~ /\A([0-9]+)_\[([0-9,-]+)(?:%[0-9]+)?\]\z/ or return $id =~ /\A[0-9]+(?:_[0-9]+)?\z/ ? $id : ();
    return map { "${job}_$_" } Jobgate::Arrays::numbers($list);
}

1;
