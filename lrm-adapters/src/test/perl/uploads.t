# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Files that clients put below a job's directory, and what is listed there, with everything hostile in the way.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use Cwd ();
use File::Temp ();
use Jobgate::FileListing ();
use Jobgate::FileWrites ();
use Test::More;

my $outside = File::Temp->newdir;
my $job     = File::Temp->newdir;
my $writes  = Jobgate::FileWrites->new;

sub place { return { directory => "$job", below => [@_] } }
sub put { my ($bytes, @names) = @_; return $writes->put({ place => place(@names), part => 'p', offset => 0, bytes => $bytes }) }
sub finish { my ($size, $new, @names) = @_; return $writes->finish({ place => place(@names), part => 'p', size => $size, new => $new }) }
sub names { return join ' ', map { "$_->{name}:$_->{kind}" } @{ Jobgate::FileListing::of({ place => { directory => "$job", below => [@_] } })->{entries} } }

sub content {
    my ($path) = @_;
    open my $file, '<', $path or return undef;
    local $/;
    return scalar <$file>;
}

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!";
    print {$file} $text;
    close $file or die "$path: $!";
    return;
}

subtest 'directories on the way are made' => sub {
    is put('deep', qw(a b c))->{size}, 4;
    ok !-e "$job/a/b/c";
    is_deeply finish(4, 0, qw(a b c)), {};
    is content("$job/a/b/c"), 'deep';
    my $new = { directory => "$job/new/dir", below => ['x'] };
    is $writes->put({ place => $new, part => 'p', offset => 0, bytes => 'x' })->{size}, 1, 'the job\'s own too';
    is Cwd::getcwd(), '/';
    is $writes->kept({ place => place(qw(none x)), part => 'p' })->{size}, 0, 'a question makes none';
    ok !-e "$job/none";
};

subtest 'no link is followed' => sub {
    write_file("$outside/secret", 'secret');
    symlink "$outside", "$job/out" or die;
    is put('mine', qw(out secret))->{refused}, 'NOT_A_FILE';
    is put('mine', qw(out sub new))->{refused}, 'NOT_A_FILE', 'nor is anything made behind one';
    is content("$outside/secret"), 'secret';
    ok !-e "$outside/sub";
    symlink "$outside/none", "$job/dangling" or die;
    is put('mine', qw(dangling x))->{refused}, 'NOT_A_FILE';
    put('mine', 'link');
    symlink "$outside/secret", "$job/link" or die;
    is_deeply finish(4, 0, 'link'), {}, 'one in the place itself is replaced';
    ok !-l "$job/link";
    is content("$outside/secret"), 'secret';
    symlink "$outside/fresh", "$job/.jobgate-p.part" or die;
    is put('mine', 'x')->{refused}, 'NOT_A_FILE';
    unlink "$job/.jobgate-p.part" or die;
    ok !-e "$outside/fresh";
    is names('out'), '', 'nor listed';
    is(Jobgate::FileListing::of({ place => place('out') })->{refused}, 'NOT_A_FILE');
};

subtest 'pipes, devices and second names' => sub {
    system('mkfifo', "$job/fifo", "$job/.jobgate-p.part") == 0 or die;
    like put('mine', 'y')->{refused}, qr/NOT_A_FILE|FAILED/, 'a pipe in the place of the part blocks nobody';
    unlink "$job/.jobgate-p.part" or die;
    put('mine', 'fifo');
    is_deeply finish(4, 0, 'fifo'), {}, 'a pipe is replaced, not written to';
    ok -f "$job/fifo";
    link "$outside/secret", "$job/hard" or die;
    put('mine', 'hard');
    is_deeply finish(4, 0, 'hard'), {};
    is content("$outside/secret"), 'secret', 'a second name is replaced, the file it was of is not touched';
    is put('x', qw(fifo x))->{refused}, 'NOT_A_FILE', 'a file is no directory';
};

subtest 'a new file takes the place of none' => sub {
    put('one', 'fresh');
    is_deeply finish(3, 1, 'fresh'), {};
    put('two', 'fresh');
    is finish(3, 1, 'fresh')->{refused}, 'EXISTS';
    is content("$job/fresh"), 'one';
    $writes->drop({ place => place('fresh'), part => 'p' });
    symlink "$outside/none", "$job/taken" or die;
    put('two', 'taken');
    is finish(3, 1, 'taken')->{refused}, 'EXISTS', 'a dangling link is something, too';
    $writes->drop({ place => place('taken'), part => 'p' });
};

subtest 'odd names' => sub {
    for my $name ("a\nb", '..a', '-rf', "\xff\xfe", '%2e%2e', 'a b') {
        put('odd', $name);
        is_deeply finish(3, 0, $name), {};
        is content("$job/$name"), 'odd';
    }
    for my $name ('.', '..', '', 'a/b', "a\0b") {
        eval { put('odd', $name) };
        like $@, qr/not a name/;
        eval { Jobgate::FileListing::of({ place => place($name, 'x') }) };
        like $@, qr/not a name/;
    }
    eval { put('odd', map { "d$_" } 1 .. 100) };
    like $@, qr/too many names/;
};

subtest 'a full disk' => sub {
    local $! = 28;    # ENOSPC
    is(Jobgate::Files::io('x')->{refused}, 'NO_SPACE');
    is(Jobgate::Files::failed('x')->{refused}, 'NO_SPACE');
    $! = 122;         # EDQUOT
    is(Jobgate::Files::failed('x')->{refused}, 'QUOTA');
    like(Jobgate::Files::io('x')->{why}, qr/quota/);
};

subtest 'a listing' => sub {
    my $list = File::Temp->newdir;
    mkdir "$list/d" or die;
    write_file("$list/f", 'xyz');
    symlink 'f', "$list/l" or die;
    system('mkfifo', "$list/p") == 0 or die;
    my $answer = Jobgate::FileListing::of({ place => { directory => "$list" } });
    is join(' ', map { "$_->{name}:$_->{kind}" } @{ $answer->{entries} }), 'd:directory f:file l:link p:other';
    is $answer->{entries}[1]{size}, 3;
    is $answer->{more}, 0;
    is scalar @{ Jobgate::FileListing::of({ place => { directory => "$list" }, after => 'f' })->{entries} }, 2;
    write_file("$list/d/$_", '') for 1 .. 1001;
    my $page = Jobgate::FileListing::of({ place => { directory => "$list", below => ['d'] } });
    is scalar @{ $page->{entries} }, 1000;
    is $page->{more}, 1;
    is(Jobgate::FileListing::of({ place => { directory => "$list", below => ['none'] } })->{refused}, 'NOT_FOUND');
    is Cwd::getcwd(), '/';
};

done_testing;
