# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Settings;

# The settings of jobgate-blahpd: sections of NAME = VALUE, one for each grid type, and [blahpd] for the program itself (docs/operate/blahpd.md).

use strict;
use warnings;

use constant OWN => 'blahpd';

my @FILES   = ('~/.jobgate/blahpd.conf', '/etc/jobgate/blahpd.conf');
my %ADAPTER = map { $_ => $_ } qw(fork condor slurm sge pbs);

sub read {
    my ($class) = @_;
    my $home = (getpwuid $>)[7] // '/';
    my ($path) = grep { -e } map { s/\A~/$home/r } defined $ENV{JOBGATE_BLAHPD_CONFIG} ? $ENV{JOBGATE_BLAHPD_CONFIG} : @FILES;
    my $self = bless { sections => {}, home => $home }, $class;
    die "The settings $ENV{JOBGATE_BLAHPD_CONFIG} are not there.\n" if defined $ENV{JOBGATE_BLAHPD_CONFIG} && !defined $path;
    $self->_parse($path) if defined $path;
    return $self;
}

sub _parse {
    my ($self, $path) = @_;
    open my $file, '<:raw', $path or die "The settings $path cannot be read: $!.\n";
    my $section;
    while (my $line = <$file>) {
        $line =~ s/\A\s+|\s+\z//g;
        next if $line eq '' || $line =~ /\A[#;]/;
        if    ($line =~ /\A\[\s*([A-Za-z0-9_-]{1,32})\s*\]\z/) { $section = $self->{sections}{ lc $1 } //= {} }
        elsif ($section && $line =~ /\A([A-Za-z_]+)\s*=\s*(.*)\z/) { $section->{$1} = $2 }
        else  { die "The settings $path cannot be read in line $.: $line\n" }
    }
    return;
}

# A setting of the program itself.
sub own { my ($self, $name, $default) = @_; return ($self->{sections}{ +OWN } // {})->{$name} // $default }

# What runs the jobs of a grid type: { adapter, settings, directory }. Dies with a sentence where nothing does.
sub lrm {
    my ($self, $name) = @_;
    die "The grid type '" . substr($name, 0, 40) . "' is no name.\n" unless $name =~ /\A[a-z0-9_-]{1,32}\z/ && $name ne OWN;
    my %settings = %{ $self->{sections}{$name} // {} };
    my $adapter = delete $settings{adapter} // $ADAPTER{$name}
        // die "No adapter is known for the grid type $name: write adapter = NAME into the section [$name] of " . join(' or ', @FILES) . ".\n";
    die "The adapter '$adapter' of the grid type $name is no name.\n" unless $adapter =~ /\A[a-z][a-z0-9]{0,31}\z/;
    my $directory = delete $settings{directory} // $self->state . "/$name";
    $directory =~ s/\A~(?=\/|\z)/$self->{home}/;
    return { adapter => $adapter, settings => { %settings, spool => "$directory/spool" }, directory => $directory };
}

# Where the state of all grid types is.
sub state { my ($self) = @_; return $ENV{JOBGATE_BLAHPD_STATE} // $self->own('state', '~/.jobgate/blahpd') =~ s/\A~(?=\/|\z)/$self->{home}/r }

# The grid types that have had jobs.
sub used {
    my ($self) = @_;
    opendir my $open, $self->state or return;
    return sort grep { /\A[a-z0-9_-]{1,32}\z/ && -d $self->state . "/$_/jobs" } readdir $open;
}

1;
