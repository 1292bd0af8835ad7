# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Probe;

# Whether a batch system can be used from here: what jobgate-probe prints.

use strict;
use warnings;

# queues that are named, of all that there may be
use constant SHOWN => 8;

# A list of [ 'ok', what ] and [ 'bad', what, what to do ].
sub findings {
    my ($name, $settings) = @_;
    my $adapter = eval { _loaded($name, $settings) }
        or return [ 'bad', "the adapter $name cannot be loaded: " . _line($@), 'name another adapter, or mend its module' ];
    my $bin = $adapter->command_directory;
    my @missing = grep { !_is_there($_, $bin) } $adapter->programs;
    return [ 'bad', join(', ', @missing) . ' not found ' . (defined $bin ? "in $bin" : 'on the PATH'),
        "install the batch system's commands, or say options: [${name}_bin=DIRECTORY]" ] if @missing;
    my @found = map { [ 'ok', "all commands are there: $_" ] } grep { length } join ', ', $adapter->programs;
    push @found, _answers($adapter);
    return @found ? @found : [ 'ok', "the adapter $name needs no commands of a batch system" ];
}

sub _loaded {
    my ($name, $settings) = @_;
    die "that is not the name of an adapter\n" unless $name =~ /\A[a-z][a-z0-9]{0,31}\z/;
    my $class = 'Jobgate::Adapter::' . ucfirst $name;
    my $file = "Jobgate/Adapter/\u$name.pm";
    die "there is no module $class\n" unless grep { !ref && -f "$_/$file" } @INC;
    require $file;
    return $class->new(settings => $settings);
}

sub _is_there {
    my ($program, $bin) = @_;
    return scalar grep { -f "$_/$program" && -x _ } defined $bin ? $bin : split /:/, $ENV{PATH} || '/usr/local/bin:/usr/bin:/bin';
}

# The questions that the gateway asks all the time: what jobs there are, and which queues.
sub _answers {
    my ($adapter) = @_;
    my $asked = eval { $adapter->probe };
    return [ 'bad', 'it does not say what jobs there are: ' . _line($@),
        'see whether its servers run, whether this machine may use it, and whether the options of the LRM say where it is' ] unless defined $asked;
    return unless length $asked;
    my @found = [ 'ok', "$asked answers" ];
    my $queues = eval { $adapter->queues };
    return @found, [ 'bad', 'it does not say what queues there are: ' . _line($@),
        'let this machine ask for them; without them jobs are not refused early' ] unless $queues;
    my @names = grep { defined } map { $_->{name} } @$queues;
    return @found unless @names;
    return @found, [ 'ok', 'its queues: ' . join(', ', @names > SHOWN ? (@names[ 0 .. SHOWN - 1 ], '...') : @names) ];
}

sub _line {
    my ($text) = @_;
    my ($line) = grep { /\S/ } split /\n/, $text;
    $line //= 'it says nothing';
    $line =~ s/ at \S+ line [0-9]+\.?\z//;
    $line =~ s/[^\x20-\x7e]/?/g;
    return substr $line, 0, 300;
}

1;
