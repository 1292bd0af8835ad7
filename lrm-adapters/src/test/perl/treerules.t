# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Paths in an exported tree that are blocked or can only be read, with everything that could lead there all the same.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use File::Temp ();
use Jobgate::FileTree ();
use Jobgate::FileWrites ();
use Test::More;

my $tree   = File::Temp->newdir;
my $writes = Jobgate::FileWrites->new;
my $reads  = Jobgate::Files->new;
my %rules  = (blocked => [ 'private', 'a/b/secret', 'a/key', 'none/yet', 'linked/in' ], fixed => [ 'archive', 'a/b/old', 'later' ]);
umask 022;

sub place { return { directory => "$tree", tree => [ split m{/}, $_[0] ], %rules } }
sub said { my ($answer, $well) = @_; return $answer->{refused} // $well // 'ok' }
sub seen { my ($name) = @_; my $answer = Jobgate::FileTree::stat({ place => place($name) }); return said($answer, $answer->{entry}{kind}) }
sub bytes { my ($name) = @_; my $answer = $reads->read({ place => place($name), offset => 0, length => 100 }); return said($answer, $answer->{bytes}) }
sub made { my ($name, $parents) = @_; return said(Jobgate::FileTree::make({ place => place($name), parents => $parents })) }
sub mode { my ($name) = @_; return said(Jobgate::FileTree::chmod({ place => place($name), mode => 0755 })) }
sub gone { my ($name, $empty) = @_; return said($writes->delete({ place => place($name), empty => $empty })) }
sub moved { my ($from, $to, $replace) = @_; return said(Jobgate::FileTree::rename({ from => place($from), to => place($to), replace => $replace })) }
sub begun { my ($name) = @_; return said($writes->kept({ place => place($name), part => 'p' })) }

sub put {
    my ($name) = @_;
    my $answer = $writes->put({ place => place($name), part => 'p', offset => 0, bytes => 'x' });
    return $answer->{refused} // said($writes->finish({ place => place($name), part => 'p', size => 1 }));
}

sub names {
    my ($answer) = @_;
    return $answer->{refused} if $answer->{refused};
    my @fields = split /\0/, $answer->{packed}, -1;
    return join ' ', map { $fields[ 7 * $_ ] } 0 .. @fields / 7 - 1;
}
sub list { my ($name, %more) = @_; return names(Jobgate::FileTree::list({ place => place($name), limit => 100, %more })) }
sub view { my ($name) = @_; return names(Jobgate::FileTree::view({ place => place($name), limit => 100 })) }

sub write_file {
    my ($name, $text) = @_;
    open my $file, '>', "$tree/$name" or die "$name: $!";
    print {$file} $text;
    close $file or die "$name: $!";
    return;
}

mkdir "$tree/$_" or die "$_: $!" for qw(private private/in a a/b a/b/secret a/b/old archive archive/in open disk disk/in);
write_file($_, "in $_") for qw(private/f private/in/f a/key a/b/secret/f a/b/old/f archive/f open/f disk/in/f a/f);
symlink $_->[0], "$tree/$_->[1]" or die "$_->[1]: $!"
    for ['private', 'to'], ['../private/in', 'open/to'], ["$tree/private", 'absolute'], ['to', 'twice'], ['a/key', 'tokey'], ['a/b', 'tob'], ['disk', 'linked'],
    ['archive', 'toarchive'], ['open/../a/./b/../b/secret', 'crooked'], ['private/..', 'around'];

subtest 'what is blocked is of no use, and what is below it' => sub {
    for my $name (qw(private private/f private/in private/in/f private/none a/b/secret a/b/secret/f a/key linked/in linked/in/f disk/in disk/in/f)) {
        is seen($name),  'NOT_PERMITTED', "look at $name";
        is bytes($name), 'NOT_PERMITTED', "read $name";
        is list($name),  'NOT_PERMITTED', "list $name";
        is put($name),   'NOT_PERMITTED', "put $name";
        is begun($name), 'NOT_PERMITTED', "what was begun of $name";
        is made($name),  'NOT_PERMITTED', "make $name";
        is mode($name),  'NOT_PERMITTED', "chmod $name";
        is gone($name),  'NOT_PERMITTED', "remove $name";
        is moved($name, 'open/taken'),  'NOT_PERMITTED', "take $name away";
        is moved('open/f', $name, 1), 'NOT_PERMITTED', "replace $name";
    }
    is made('none'), 'ok', 'the directory above one that is not there may be made';
    is made('none/yet'), 'NOT_PERMITTED', 'it may not';
    is put('none/yet'), 'NOT_PERMITTED';
    is made('none/yet/more', 1), 'NOT_PERMITTED', 'nor on the way to another';
    ok !-e "$tree/none/yet";
    is bytes('open/f'), 'in open/f', 'nothing of it has happened';
};

subtest 'no link leads there' => sub {
    is bytes($_), 'NOT_PERMITTED', $_ for qw(to/f to/in/f open/to/f absolute/f twice/f tokey tob/secret/f crooked/f);
    is list($_),  'NOT_PERMITTED', $_ for qw(to open/to absolute twice crooked tob/secret);
    is put("$_/new"), 'NOT_PERMITTED', $_ for qw(to open/to absolute twice crooked tob/secret);
    is bytes('around/open/f'), 'NOT_PERMITTED', 'nor is it on the way';
    is bytes('tob/old/f'), 'in a/b/old/f', 'beside it all is well';
    is seen('to'), 'link', 'the link itself is seen';
    is moved('to', 'to2'), 'ok', 'renamed';
    is gone('to2'), 'ok', 'and removed';
    link "$tree/a/key", "$tree/open/second" or die;
    is bytes('open/second'), 'NOT_PERMITTED', 'nor a second name of the same file';
    unlink "$tree/open/second";
};

subtest 'it is not listed' => sub {
    is list(''), 'a absolute archive around crooked disk linked none open toarchive tob tokey twice';
    is view(''), list('');
    is list('a'), 'b f';
    is list('a/b'), 'old';
    is list('tob'), 'old';
    is list('disk'), '', 'where the rule names a link to it';
    is list('linked'), '';
    is list('a', after => 'b'), 'f';
    is list('a', limit => 1), 'b';
    my $answer = Jobgate::FileTree::list({ place => place('a/b'), limit => 1 });
    is $answer->{more}, 0, 'nor said to be more';
};

subtest 'a directory above it stays where it is' => sub {
    for my $name (qw(a a/b disk linked)) {
        is moved($name, 'open/moved'), 'NOT_PERMITTED', "rename $name";
        is gone($name), 'NOT_PERMITTED', "remove $name";
        is gone($name, 1), 'NOT_PERMITTED', "remove $name if it is empty";
    }
    is moved('open/f', 'linked', 1), 'NOT_PERMITTED', 'a link above it is not replaced';
    is moved('tob', 'tob2'), 'ok', 'a link to it is none';
    is moved('tob2', 'tob'), 'ok';
    is mode('a'), 'ok', 'its permissions may be changed';
    is made('a/new'), 'ok';
    is moved('a/new', 'a/newer'), 'ok', 'beside it all may be';
    is gone('a/newer'), 'ok';
    ok -e "$tree/$_", $_ for qw(private/in/f a/key a/b/secret/f disk/in/f linked/in/f);
};

subtest 'what can only be read' => sub {
    is bytes($_), "in $_", $_ for qw(archive/f a/b/old/f);
    is bytes('toarchive/f'), 'in archive/f';
    is list('archive'), 'f in';
    is seen('archive/in'), 'directory';
    for my $name (qw(archive archive/f archive/new archive/in a/b/old/f toarchive/f toarchive/new tob/old/f later)) {
        is put($name),   'NOT_PERMITTED', "put $name";
        is begun($name), 'NOT_PERMITTED', "begin $name";
        is made($name),  'NOT_PERMITTED', "make $name";
        is mode($name),  'NOT_PERMITTED', "chmod $name";
        is gone($name),  'NOT_PERMITTED', "remove $name";
        is moved($name, 'open/taken'), 'NOT_PERMITTED', "take $name away";
        is moved('open/f', $name, 1), 'NOT_PERMITTED', "replace $name";
    }
    is made('archive/x/y', 1), 'NOT_PERMITTED';
    is made('later/x', 1), 'NOT_PERMITTED', 'nor is it made on the way';
    ok !-e "$tree/$_", $_ for qw(later archive/x archive/new);
    is put('open/new'), 'ok', 'elsewhere all may be';
    is gone('open/new'), 'ok';
    like $writes->delete({ place => place('archive/f') })->{why}, qr/be read, and not changed/;
    like Jobgate::FileTree::stat({ place => place('private/f') })->{why}, qr/does not export/;
};

subtest 'rules that name what no tree has' => sub {
    for my $bad ('', '..', 'a/../b', './a', '/etc') {
        local $rules{blocked} = [$bad];
        eval { seen('open/f') };
        like $@, qr/not a path/, "'$bad'";
    }
    local @rules{qw(blocked fixed)} = ([ 'around/open', "no\nname", 'absolute' ], []);
    is bytes('open/f'), 'NOT_PERMITTED', 'a path through links is that of what it leads to';
    is bytes('private/f'), 'NOT_PERMITTED', 'a link is what it leads to';
    is list(''), 'a archive around crooked disk linked none toarchive tob tokey twice', 'neither is listed';
};

done_testing;
