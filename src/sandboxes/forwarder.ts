import { execFile } from "node:child_process";
import { isProgram } from "./find-program.ts";

/**
 * Words that start a forwarder inside of a namespace: after them come `PORT=SOCKET` for each port on which it listens, `--`,
 * and the program. It listens before the program starts, and ends with the namespace.
 */
export type Forwarder = readonly string[];

const PERL = "/usr/bin/perl";
let usable: Promise<boolean> | undefined;

/**
 * The quickest one on this machine: Perl's listens after 10 ms, where Node alone takes 60 to start, and needs a fraction of
 * the memory. Undefined where a sandbox shows neither.
 */
export async function chooseForwarder(isShown: (path: string) => boolean): Promise<Forwarder | undefined> {
  usable ??= canRunPerl();
  if (isShown(PERL) && (await usable)) return [PERL, "-e", IN_PERL, "--"];
  return isShown(process.execPath) ? forwarderBy([process.execPath]) : undefined;
}

/** Where there may be no Perl. `node`: the words that start Node there. */
export function forwarderBy(node: readonly string[]): Forwarder {
  return [...node, "-e", IN_NODE, "--"];
}

function canRunPerl(): Promise<boolean> {
  if (!isProgram(PERL)) return Promise.resolve(false);
  return new Promise((resolve) => {
    execFile(PERL, ["-Mstrict", "-e", "1"], (error) => resolve(error === null));
  });
}

const IN_NODE = `
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const all = process.argv.slice(1);
const [program, ...words] = all.slice(all.indexOf("--") + 1);
const open = all.slice(0, all.indexOf("--")).map((way) => new Promise((resolve) => {
  const [port, path] = way.split("=");
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ path, allowHalfOpen: true });
    inner.on("error", () => outer.destroy());
    outer.on("error", () => inner.destroy());
    inner.pipe(outer).pipe(inner);
  });
  server.once("error", (error) => { console.error("assay: " + error.message); resolve(); });
  server.listen(Number(port), "127.0.0.1", resolve);
}));
Promise.all(open).then(() => {
  const child = spawn(program, words, { stdio: "inherit" });
  child.on("error", (error) => { console.error(error.message); process.exit(127); });
  child.on("exit", (code, signal) => signal ? process.kill(process.pid, signal) : process.exit(code));
});
`;

/**
 * Its process becomes the program; what forwards is a grandchild, which the program doesn't know for a child of its own.
 * The numbers are Linux's own: the modules that know them take longer to load than all the rest.
 */
const IN_PERL = `
use strict;
my ($UNIX, $INET, $STREAM, $SETFL, $NONBLOCK, $INTR, $AGAIN) = (1, 2, 1, 4, 2048, 4, 11);
my (%paths, %servers, %sockets, %other, %unsent, %ended);
while (defined(my $way = shift)) {
  last if $way eq "--";
  my ($port, $path) = split /=/, $way, 2;
  my $server;
  socket($server, $INET, $STREAM, 0) && bind($server, pack("SnC4x8", $INET, $port, 127, 0, 0, 1))
    && listen($server, 4096) or warn("assay: port $port: $!\\n"), next;
  $paths{fileno $server} = $path; $servers{fileno $server} = $server;
}
defined(my $child = fork) or die "assay: $!\\n";
unless ($child) {
  defined(my $forwarder = fork) or die "assay: $!\\n";
  exit if $forwarder;
  open STDIN, "</dev/null"; open STDOUT, ">/dev/null"; open STDERR, ">/dev/null";
  setpgrp; chdir "/"; $SIG{$_} = "IGNORE" for qw(HUP INT PIPE TERM);
  forward();
}
wait; exit 1 if $?;
exec { $ARGV[0] } @ARGV or print(STDERR "$ARGV[0]: $!\\n"), exit 127;

sub hold { my ($socket, $to) = @_;
  fcntl($socket, $SETFL, $NONBLOCK);
  my $file = fileno $socket;
  ($sockets{$file}, $other{$file}, $unsent{$file}) = ($socket, fileno $to, ""); }
sub drop { my ($file) = @_;
  my @both = ($file, $other{$file});
  close delete $sockets{$_} for @both;
  delete @$_{@both} for \\%other, \\%unsent, \\%ended; }
sub again { $! == $AGAIN || $! == $INTR }
sub send_on { my ($file) = @_;
  while (length $unsent{$file}) {
    my $sent = syswrite $sockets{$file}, $unsent{$file};
    unless (defined $sent) { again() or drop($file); return }
    substr($unsent{$file}, 0, $sent) = "";
  }
  shutdown $sockets{$file}, 1 if $ended{$other{$file}};
  drop($file) if $ended{$file} && $ended{$other{$file}} && !length $unsent{$other{$file}}; }
sub take_in { my ($file) = @_;
  my $to = $other{$file};
  my $got = sysread $sockets{$file}, my $bytes, 65536;
  unless (defined $got) { again() or drop($file); return }
  if ($got) { $unsent{$to} = $bytes } else { $ended{$file} = 1 }
  send_on($to); }
sub forward { for (;;) {
  my ($in, $out) = ("", "");
  vec($in, $_, 1) = 1 for keys %servers;
  for (keys %sockets) {
    vec($in, $_, 1) = 1 unless $ended{$_} || length $unsent{$other{$_}};
    vec($out, $_, 1) = 1 if length $unsent{$_};
  }
  next if select($in, $out, undef, undef) < 0;
  for (keys %sockets) { send_on($_) if $sockets{$_} && vec $out, $_, 1 }
  for (keys %sockets) { take_in($_) if $sockets{$_} && vec $in, $_, 1 }
  for (keys %servers) {
    next unless vec $in, $_, 1;
    my ($inner, $outer);
    accept($inner, $servers{$_}) && socket($outer, $UNIX, $STREAM, 0)
      && connect($outer, pack("Sa108", $UNIX, $paths{$_})) or next;
    hold($inner, $outer); hold($outer, $inner);
  }
} }
`;
