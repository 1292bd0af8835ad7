# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Records;

# What jobgate-blahpd must know of a job after its own death, on disk before the LRM is asked: keys/HASH holds the tag of the job that a key of a client
# stands for now; jobs/TAG is { key, and where true cancelled, held, told }. why/TAG is left by the job, proxies/TAG are credentials.

use strict;
use warnings;

use Digest::SHA ();
use File::Path  ();
use Fcntl       qw(:flock);
use IO::Handle  ();
use Time::HiRes ();
use Jobgate::Wire ();

# directory: the account's own; the parts of it are made
sub new {
    my ($class, $directory) = @_;
    my $so_far = '';
    for my $part (grep { length } split m{/}, $directory) {
        $so_far .= "/$part";
        mkdir $so_far, 0700 unless -d $so_far;
    }
    my @stat = lstat $directory or die "the directory $directory cannot be made: $!\n";
    die "the directory $directory is not a directory of this account's\n" unless -d _ && $stat[4] == $>;
    if ($stat[2] & 077) { chmod 0700, $directory or die "the directory $directory cannot be closed to others: $!\n" }
    for my $name (qw(keys jobs why proxies work)) { -d "$directory/$name" or mkdir "$directory/$name", 0700 or die "cannot make $directory/$name: $!\n" }
    return bless { directory => $directory }, $class;
}

# The paths of a job: work, why, proxy.
sub place {
    my ($self, $tag) = @_;
    return { work => "$self->{directory}/work/$tag", why => "$self->{directory}/why/$tag", proxy => "$self->{directory}/proxies/$tag" };
}

# The tag of the job that a submission with this key is, and whether there was one already. One that was cancelled, or of whose end the client was told, is
# followed by another: the client knows the id of that one, and would not submit it again.
sub take {
    my ($self, $key) = @_;
    my $lock = $self->_lock;
    my $path = "$self->{directory}/keys/" . Digest::SHA::sha256_hex($key);
    my $tag  = _read($path);
    my $job  = defined $tag ? $self->job($tag) : undef;
    return ($tag, 1) if $job && !$job->{cancelled} && !$job->{told};
    $tag = new_tag();
    _write("$self->{directory}/jobs/$tag", Jobgate::Wire::encode({ key => $key }));
    _write($path, $tag);
    return ($tag, 0);
}

# A UUID of version 7: the milliseconds since 1970, and random bits.
sub new_tag {
    open my $random, '<:raw', '/dev/urandom' or die "cannot read /dev/urandom: $!\n";
    CORE::read $random, my $bytes, 10;
    my $hex = unpack 'H*', $bytes;
    my $now = sprintf '%012x', int(Time::HiRes::time() * 1000);
    return join '-', substr($now, 0, 8), substr($now, 8), '7' . substr($hex, 0, 3), sprintf('%x', 8 + hex(substr $hex, 3, 1) % 4) . substr($hex, 4, 3), substr $hex, 7, 12;
}

# What is noted of the job; undef where there is no such job.
sub job {
    my ($self, $tag) = @_;
    return unless $tag =~ /\A[0-9a-f-]{36}\z/;
    my $bytes = _read("$self->{directory}/jobs/$tag") // return;
    my $job = eval { Jobgate::Wire::decode($bytes) };
    return ref $job eq 'HASH' ? $job : undef;
}

# Notes more of a job, on disk when it returns.
sub note {
    my ($self, $tag, %more) = @_;
    my $lock = $self->_lock;
    my $job = $self->job($tag) // return;
    return unless grep { ($job->{$_} // '') ne ($more{$_} // '') } keys %more;
    _write("$self->{directory}/jobs/$tag", Jobgate::Wire::encode({ %$job, %more }));
    return;
}

# Why files of the job could not be brought or taken; undef where nothing is wrong.
sub why {
    my ($self, $tag) = @_;
    my $text = _read($self->place($tag)->{why}) // return;
    return substr $text, 0, 1000;
}

# Copies the proxy for the job; it has its name when it is whole.
sub keep_proxy {
    my ($self, $tag, $file) = @_;
    my $bytes = _read($file, 1024 * 1024) // die "The proxy $file cannot be read: $!.\n";
    _write($self->place($tag)->{proxy}, $bytes);
    return;
}

sub drop_proxy { my ($self, $tag) = @_; unlink $self->place($tag)->{proxy}; return }

# All that is kept of a job.
sub forget {
    my ($self, $tag) = @_;
    my $lock = $self->_lock;
    my $job  = $self->job($tag);
    if ($job && defined $job->{key}) {
        my $path = "$self->{directory}/keys/" . Digest::SHA::sha256_hex($job->{key});
        unlink $path if (_read($path) // '') eq $tag;
    }
    unlink map { "$self->{directory}/$_/$tag" } qw(jobs why proxies);
    return;
}

# Deletes the directory of a job that is over: one that was killed did not live to do it. A sentence where not all of it could be deleted, else undef.
sub clear {
    my ($self, $tag) = @_;
    return unless $tag =~ /\A[0-9a-f-]{36}\z/;
    my $path = $self->place($tag)->{work};
    File::Path::remove_tree($path, { error => \my $trouble });
    my ($first) = map { values %$_ } @{ $trouble // [] };
    return defined $first ? "The directory $path of a job that is over cannot be deleted: $first." : undef;
}

# The tags of jobs that have a directory.
sub directories {
    my ($self) = @_;
    opendir my $open, "$self->{directory}/work" or return;
    return grep { /\A[0-9a-f-]{36}\z/ } readdir $open;
}

# The tags of jobs of which nothing was noted since then.
sub older_than {
    my ($self, $then) = @_;
    opendir my $open, "$self->{directory}/jobs" or return;
    return grep { /\A[0-9a-f-]{36}\z/ && ((stat "$self->{directory}/jobs/$_")[9] // $then) < $then } readdir $open;
}

# The lock is held by hands of the same account only, for moments.
sub _lock {
    my ($self) = @_;
    open my $lock, '>>', "$self->{directory}/lock" or die "cannot open $self->{directory}/lock: $!\n";
    flock $lock, LOCK_EX or die "cannot lock $self->{directory}/lock: $!\n";
    return $lock;
}

sub _read {
    my ($path, $most) = @_;
    open my $file, '<:raw', $path or return;
    defined CORE::read $file, my $bytes, $most // 65536 or return;
    return $bytes;
}

sub _write {
    my ($path, $bytes) = @_;
    my $new = "$path.new.$$";
    unlink $new;
    open my $file, '>:raw', $new or die "cannot write $new: $!\n";
    print {$file} $bytes and $file->flush and $file->sync and close $file or die "cannot write $new: $!\n";
    rename $new, $path or die "cannot name $path: $!\n";
    return;
}

1;
