# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Files that an account writes, lists and deletes, and everything hostile that may lie in their place.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use Cwd ();
use File::Temp ();
use Jobgate::FileWrites ();
use Test::More;

my $outside = File::Temp->newdir;
my $job     = File::Temp->newdir;
my $writes  = Jobgate::FileWrites->new;

sub place { return { directory => "$job", named => $_[0] } }
sub put { my ($name, $offset, $bytes) = @_; return $writes->put({ place => place($name), part => 'p', offset => $offset, bytes => $bytes }) }
sub finish { my ($name, $size, %more) = @_; return $writes->finish({ place => place($name), part => 'p', size => $size, %more }) }
sub delete_it { return $writes->delete({ place => place($_[0]) }) }

sub content {
    my ($path) = @_;
    open my $file, '<', $path or return undef;
    binmode $file;
    local $/;
    return scalar <$file>;
}

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!";
    print {$file} $text;
    close $file or die "$path: $!";
    return $path;
}

subtest 'a file has its name when it is whole' => sub {
    my $bytes = join '', map { chr } 0 .. 255;
    write_file("$job/out", 'before');
    is put('out', 0, $bytes)->{size}, 256;
    is put('out', 256, 'more')->{size}, 260;
    is put('out', 256, 'MORE')->{size}, 260, 'what is told twice is there once';
    is content("$job/out"), 'before';
    is $writes->kept({ place => place('out'), part => 'p' })->{size}, 260;
    is put('out', 999, 'x')->{short}, 260, 'no holes';
    is finish('out', 259)->{short}, 260;
    ok !exists finish('out', 260)->{short};
    is content("$job/out"), $bytes . 'MORE';
    ok !exists finish('out', 260)->{short}, 'and once more';
    is sprintf('%o', (stat "$job/out")[2] & 0777), sprintf '%o', 0666 & ~umask;
    put('program', 0, 'x');
    finish('program', 1, program => 1);
    ok -x "$job/program";
    ok !exists finish('empty', 0)->{refused};
    is -s "$job/empty", 0;
    is Cwd::getcwd(), '/', 'no directory is kept busy';
};

subtest 'links are replaced, never followed' => sub {
    write_file("$outside/secret", 'secret');
    symlink "$outside/secret", "$job/link" or die;
    put('link', 0, 'mine');
    finish('link', 4);
    ok !-l "$job/link";
    is content("$outside/secret"), 'secret';
    symlink "$outside/secret", "$job/.jobgate-q.part" or die;
    my $answer = $writes->put({ place => place('q'), part => 'q', offset => 0, bytes => 'mine' });
    is $answer->{refused}, 'NOT_A_FILE';
    is content("$outside/secret"), 'secret';
    link "$outside/secret", "$job/.jobgate-r.part" or die;
    is $writes->put({ place => place('r'), part => 'r', offset => 0, bytes => 'mine' })->{refused}, 'NOT_PERMITTED', 'nor a second name';
    is content("$outside/secret"), 'secret';
    eval { $writes->put({ place => place('r'), part => '../x', offset => 0, bytes => '' }) };
    like $@, qr/not the name of a part/;
};

subtest 'what stands in the way is told' => sub {
    mkdir "$job/dir" or die;
    put('dir', 0, 'x');
    is finish('dir', 1)->{refused}, 'NOT_A_FILE';
    is put('no/such', 0, 'x')->{refused}, 'NOT_FOUND';
    is $writes->kept({ place => place('no/such'), part => 'p' })->{size}, 0;
    ok !exists $writes->drop({ place => place('no/such'), part => 'p' })->{refused};
    $writes->drop({ place => place('dir'), part => 'p' });
    ok !-e "$job/.jobgate-p.part";
    write_file("$job/file", 'x');
    ok exists $writes->make_directory({ path => "$job/file/x" })->{refused};
    ok !exists $writes->make_directory({ path => "$job/new/x" })->{refused};
    ok !exists $writes->make_directory({ path => "$job/new/x" })->{refused};
    ok -d "$job/new/x";
};

subtest 'many directories are made at once' => sub {
    mkdir "$job/real" or die;
    symlink "$job/real", "$job/led" or die;
    write_file("$job/plain", 'x');
    my $answer = $writes->make_directories({ path => "$job/many/of", names => [ 'a', "b\xff", 'a' ] });
    is_deeply $answer, { failed => [] };
    ok -d "$job/many/of/$_" for 'a', "b\xff";
    $answer = $writes->make_directories({ path => $job, names => [qw(real led plain new2)] });
    is_deeply [ map { $_->{name} } @{ $answer->{failed} } ], [qw(led plain)], 'no link and no file is taken for a directory';
    like $answer->{failed}[1]{why}, qr{There is a file \Q$job\E/plain already};
    ok -d "$job/new2", 'the others are made';
    ok exists $writes->make_directories({ path => "$job/plain/x", names => ['a'] })->{refused};
    for my $name ('', '.', '..', 'a/b', "a\0b") {
        eval { $writes->make_directories({ path => $job, names => [$name] }) };
        like $@, qr/not a name/;
    }
    eval { $writes->make_directories({ path => $job, names => [ 1 .. 1001 ] }) };
    like $@, qr/at most 1000/;
    is Cwd::getcwd(), '/';
};

subtest 'the way leads over links of the account and of root' => sub {
    mkdir "$outside/own" or die;
    symlink "$outside/own", "$job/way" or die;
    symlink './way', "$job/over" or die;
    put('over/file', 0, 'x');
    ok !exists finish('over/file', 1)->{refused};
    is content("$outside/own/file"), 'x', 'written where the account itself has led it';
    is_deeply $writes->make_directory({ path => "$job/over/deep/er" }), {};
    ok -d "$outside/own/deep/er";
    is delete_it('over/file')->{removed}, 1;
    ok !-e "$outside/own/file";
    is delete_it('over')->{removed}, 1, 'of the last name the link is what is deleted';
    ok -d "$outside/own/deep/er";
    symlink 'round', "$job/round" or die;
    is delete_it('round/x')->{refused}, 'FAILED';
    is Cwd::getcwd(), '/';
};

subtest 'a link of another account leads nothing that is written or deleted' => sub {
    plan skip_all => 'only root can make a link for another account' if $> != 0;
    mkdir "$outside/mine" or die;
    write_file("$outside/mine/thesis", 'years');
    symlink "$outside/mine", "$job/trap" or die;
    system('chown', '-h', 'nobody', "$job/trap") == 0 or die;
    for my $answer (
        delete_it('trap/thesis'),   put('trap/thesis', 0, 'x'),
        finish('trap/thesis', 0),   $writes->drop({ place => place('trap/thesis'), part => 'p' }),
        $writes->make_directory({ path => "$job/trap/new" }),
        $writes->put({ place => { directory => "$job/trap", below => ['thesis'] }, part => 'p', offset => 0, bytes => 'x' }),
    ) {
        is $answer->{refused}, 'NOT_PERMITTED';
        like $answer->{why}, qr/symbolic link trap of another account \(nobody\)/;
    }
    is content("$outside/mine/thesis"), 'years';
    ok !-e "$outside/mine/new";
    is_deeply [ map { $_->{name} } @{ $writes->list({ path => "$job/trap" })->{entries} } ], ['thesis'], 'to look is harmless';
    is delete_it('trap')->{removed}, 1, 'the link itself may go';
    ok -e "$outside/mine/thesis";
};

subtest 'a tree is deleted, and nothing beside it' => sub {
    mkdir "$job/tree" or die;
    mkdir "$job/tree/$_" or die for 'a', 'a/b';
    write_file("$job/tree/a/b/$_", 'x') for 1 .. 3;
    symlink "$outside", "$job/tree/out" or die;
    symlink "$outside/secret", "$job/tree/a/file" or die;
    is delete_it('tree')->{removed}, 1;
    ok !-e "$job/tree";
    is content("$outside/secret"), 'secret';
    is delete_it('tree')->{removed}, 0, 'what is gone is good';
    is delete_it('no/such/tree')->{removed}, 0;
    symlink "$outside", "$job/onlylink" or die;
    is delete_it('onlylink')->{removed}, 1;
    ok -d "$outside";
};

subtest 'a large tree takes several requests' => sub {
    mkdir "$job/large" or die;
    write_file("$job/large/$_", '') for 1 .. 2500;
    my $first = delete_it('large');
    is $first->{more}, 1;
    is delete_it('large')->{more}, 0;
    ok !-e "$job/large";
};

subtest 'a directory is listed page by page' => sub {
    mkdir "$job/list" or die;
    write_file("$job/list/$_", 'x' x $_) for 1 .. 3;
    mkdir "$job/list/d" or die;
    symlink '/', "$job/list/l" or die;
    my $answer = $writes->list({ path => "$job/list" });
    is_deeply [ map { "$_->{name} $_->{kind}" } @{ $answer->{entries} } ], [ '1 file', '2 file', '3 file', 'd directory', 'l other' ];
    is $answer->{entries}[2]{size}, 3;
    is_deeply [ map { $_->{name} } @{ $writes->list({ path => "$job/list", after => '3' })->{entries} } ], [ 'd', 'l' ];
    is $writes->list({ path => "$job/none" })->{refused}, 'NOT_FOUND';
};

done_testing;
