# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# The encoding of values and the frames around them.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Frames ();
use Jobgate::Wire   ();
use Test::More;

my $every_byte = join '', map { chr } 0 .. 255;

subtest 'values come back as they were' => sub {
    my %values = (
        empty => '', bytes => $every_byte, absent => undef, list => [ 'a', undef, [], {} ],
        fields => { "odd\nname" => [ { deep => ':s3:~' } ] }, number => 12,
    );
    is_deeply Jobgate::Wire::decode(Jobgate::Wire::encode($values{$_})), $values{$_}, $_ for sort keys %values;
};

subtest 'what is not exactly one value is refused' => sub {
    my %broken = (
        'nothing'              => '',
        'a size too large'     => 's5:abc',
        'a count too large'    => 'l999999999:',
        'no size'              => 's:abc',
        'a negative size'      => 's-1:',
        'a size of ten digits' => 's1111111111:a',
        'an unknown kind'      => 'x1:a',
        'something behind'     => '~~',
        'a name that is a list' => 'd1:l0:~',
        'half of the fields'   => 'd2:s1:a~',
        'too deep'             => 'l1:' x 40 . '~',
    );
    for my $name (sort keys %broken) {
        ok !defined eval { Jobgate::Wire::decode($broken{$name}); 1 }, $name;
    }
};

subtest 'frames are found among noise, however they are cut' => sub {
    my $stream = "Welcome to the cluster!\nJG1 other 3\nabc\n"
        . Jobgate::Frames::frame('n0', { id => 1, text => "JG1 n0 5\n$every_byte" })
        . 'no newline before a frame: ' . Jobgate::Frames::frame('n0', { id => 2 }) . "\n\n" . Jobgate::Frames::frame('n0', { id => 3 });
    for my $step (1, 2, 7, 100, length $stream) {
        my ($noise, @found) = ('');
        my $reader = Jobgate::Frames->new_reader('n0', sub { $noise .= $_[0] });
        for (my $at = 0; $at < length $stream; $at += $step) {
            $reader->feed(substr $stream, $at, $step);
            while (my ($value) = $reader->next_value) { push @found, $value }
        }
        is_deeply [ map { $_->{id} } @found ], [ 1, 2, 3 ], "in steps of $step";
        is $found[0]{text}, "JG1 n0 5\n$every_byte";
        like $noise, qr/Welcome.*other.*no newline/s, 'and the noise is told';
    }
};

subtest 'noise without end is not kept' => sub {
    my $reader = Jobgate::Frames->new_reader('n0');
    for (1 .. 50) { $reader->feed('x' x 10_000); $reader->next_value }
    cmp_ok length $reader->{in}, '<=', Jobgate::Frames::MAX_NOISE + 10_000;
    $reader->feed(Jobgate::Frames::frame('n0', 'still heard'));
    is_deeply [ $reader->next_value ], ['still heard'];
};

subtest 'a broken frame is an error' => sub {
    for my $broken ("JG1 n0 x\n", "JG1 n0 99999999999999\n", "JG1 n0 999999999\n", "JG1 n0 1\n~x\n") {
        my $reader = Jobgate::Frames->new_reader('n0');
        $reader->feed($broken);
        ok !defined eval { $reader->next_value; 1 }, $broken =~ s/\n/\\n/gr;
    }
};

done_testing;
