# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Rules of an exported tree and mounts: a second place of what has a rule, and a file system that never answers.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use Fcntl qw(O_RDWR);
use File::Temp ();
use Jobgate::FileTree ();
use Jobgate::FileWrites ();
use Test::More;

# What is mounted here is gone with this process.
my @ALONE = ('unshare', $> ? ('--user', '--map-root-user') : (), '--mount', '--propagation', 'private');
if (!$ENV{JOBGATE_TEST_MOUNTS}) {
    plan skip_all => 'SKIPPED: this account may not mount' if system "@ALONE mount -t tmpfs none /mnt > /dev/null 2>&1";
    $ENV{JOBGATE_TEST_MOUNTS} = 1;
    exec @ALONE, $^X, $0 or die "unshare: $!";
}

use constant PATIENCE => 60;    # seconds

my $tree = File::Temp->newdir;
our %rules;
sub place { return { directory => "$tree", tree => [ split m{/}, $_[0] ], %rules } }
sub mounted { system('mount', @_) == 0 or die "mount @_\n"; return }
sub bytes { my ($name) = @_; my $answer = Jobgate::Files->new->read({ place => place($name), offset => 0, length => 100 }); return $answer->{refused} // $answer->{bytes} }

sub list {
    my ($name) = @_;
    my $answer = Jobgate::FileTree::list({ place => place($name), limit => 100 });
    my @fields = split /\0/, $answer->{packed} // '', -1;
    return $answer->{refused} // join ' ', map { $fields[ 7 * $_ ] } 0 .. @fields / 7 - 1;
}

# What a request answers that may hang: it is another process's, which is ended when it takes too long.
sub patiently {
    my ($work, $patience) = @_;
    pipe my $read, my $write or die "pipe: $!";
    my $child = fork // die "fork: $!";
    if (!$child) {
        close $read;
        syswrite $write, eval { $work->() } // "died: $@";
        require POSIX;
        POSIX::_exit(0);
    }
    close $write;
    my $ready = '';
    vec($ready, fileno $read, 1) = 1;
    my $answer = 'hangs';
    sysread $read, $answer, 4096 if select $ready, undef, undef, $patience // PATIENCE;
    kill KILL => $child;
    waitpid $child, 0;
    return $answer;
}

sub write_file {
    my ($name, $text) = @_;
    open my $file, '>', "$tree/$name" or die "$name: $!";
    print {$file} $text;
    close $file or die "$name: $!";
    return;
}

mounted('-t', 'tmpfs', 'none', "$tree");
mkdir "$tree/$_" or die "$_: $!" for qw(open hung other second a a/b a/b/secret archive gone);
mounted('-t', 'tmpfs', 'none', "$tree/other");
mkdir "$tree/$_" or die "$_: $!" for qw(other/private other/beside);
write_file($_, "in $_") for qw(open/f other/private/f other/beside/f a/b/secret/f a/f archive/f);
mounted('--bind', "$tree/other/private", "$tree/second");

subtest 'a file system that hangs stops nobody who goes elsewhere' => sub {
    $^F = 1000;    # mount needs the file of the kernel's side, from which nobody will ever read
    sysopen my $fuse, '/dev/fuse', O_RDWR or plan skip_all => "SKIPPED: /dev/fuse: $!";
    symlink 'hung/deep', "$tree/tohung" or die;
    mounted('-i', '-t', 'fuse', '-o', 'fd=' . fileno($fuse) . ',rootmode=40000,user_id=0,group_id=0', 'hung', "$tree/hung");
    is patiently(sub { -e "$tree/hung/x" ? 'there' : 'not there' }, 1), 'hangs', 'it does';
    local %rules = (blocked => [ 'hung/x', 'hung', 'other/private', 'tohung/y' ], fixed => [ 'hung/z', 'archive' ]);
    is patiently(sub { bytes('open/f') }), 'in open/f';
    is patiently(sub { bytes('second/f') }), 'NOT_PERMITTED', 'other rules hold';
    is patiently(sub { list('') }), 'a archive gone open other tohung', 'it is not listed';
    is patiently(sub { bytes('hung') }),   'NOT_PERMITTED', 'it is refused by its name';
    is patiently(sub { bytes('hung/x') }), 'NOT_PERMITTED';
    is patiently(sub { bytes('tohung') }), 'NOT_PERMITTED', 'and by a link';
    $rules{blocked} = ['hung/x'];
    is patiently(sub { bytes('open/f') }), 'in open/f', 'where only what is in it is blocked';
    is patiently(sub { bytes('hung/other') }, 1), 'hangs', 'who goes there waits';
    close $fuse;
    system 'umount', '-l', "$tree/hung";
};

subtest 'a second place of what is blocked on another mount' => sub {
    local %rules = (blocked => ['other/private']);
    is bytes('second/f'), 'NOT_PERMITTED', 'by another mount of the same file system';
    is bytes('other/private/f'), 'NOT_PERMITTED', 'by its name';
    is bytes('other/beside/f'), 'in other/beside/f', 'beside it all is well';
    is list('other'), 'beside';
    is list('second'), 'NOT_PERMITTED';
    %rules = (fixed => ['other/private']);
    my $answer = Jobgate::FileWrites->new->delete({ place => place('second/f') });
    is $answer->{refused}, 'NOT_PERMITTED', 'nor is it changed there';
    ok -e "$tree/second/f";
};

subtest 'a deletion leaves what has rules at a second place, too' => sub {
    my $delete = sub { return Jobgate::FileWrites->new->delete({ place => place($_[0]) })->{refused} // 'gone' };
    for my $rules ({ blocked => ['a/b/secret'] }, { fixed => ['a/b/secret'] }, { blocked => ['other/private'] }, { fixed => ['other/private'] }) {
        local %rules = %$rules;
        my ($path) = map { @$_ } values %rules;
        mkdir "$tree/gone/deep";
        mkdir "$tree/gone/deep/place";
        mounted('--bind', "$tree/$path", "$tree/gone/deep/place");
        is $delete->('gone'), 'NOT_PERMITTED', join(' ', keys %rules) . " $path";
        ok -e "$tree/$path/f", 'it is there';
        system('umount', "$tree/gone/deep/place") == 0 or die;
    }
    local %rules = (blocked => ['a/b/secret']);
    mounted('--bind', "$tree/a", "$tree/gone/deep/place");
    is $delete->('gone'), 'NOT_PERMITTED', 'of a directory around it';
    ok -e "$tree/$_", $_ for qw(a/b/secret/f a/f);
    system('umount', "$tree/gone/deep/place") == 0 or die;
    is $delete->('gone'), 'gone', 'without such a place it goes';
};

system('umount', '-R', "$tree") == 0 or die "umount $tree\n";
done_testing;
