import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { waitFor } from "./wait-for.ts";

const SSHD = "/usr/sbin/sshd";

/** OpenSSH's own server on this machine, for this user, with a key of its own: `await using ssh = await startSsh()`. */
export async function startSsh() {
  if (!existsSync(SSHD)) throw new Error("openssh-server is missing; scripts/test.sh installs it");
  const dir = mkdtempSync(join(tmpdir(), "assay-ssh-"));
  const port = await freePort();
  for (const name of ["host", "user"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", `${dir}/${name}`]);
  const sftp = ["/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server"].find(existsSync);
  writeFileSync(
    `${dir}/sshd_config`,
    [
      ...[`Port ${port}`, "ListenAddress 127.0.0.1", `HostKey ${dir}/host`, `PidFile ${dir}/pid`],
      ...[`AuthorizedKeysFile ${dir}/user.pub`, "StrictModes no", "UsePAM no", "PasswordAuthentication no"],
      ...["PermitRootLogin prohibit-password", `Subsystem sftp ${sftp ?? "internal-sftp"}`],
    ].join("\n"),
  );
  // It won't start without this folder, which a running system makes at boot.
  if (process.getuid?.() === 0) execFileSync("mkdir", ["-p", "/run/sshd"]);
  const server = spawn(SSHD, ["-D", "-e", "-f", `${dir}/sshd_config`], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await waitFor("sshd", () => said.includes("Server listening") || server.exitCode !== null);
  if (server.exitCode !== null) throw new Error(`sshd: ${said}`);
  return {
    dir,
    /** The place of a folder. */
    address: (path: string) => `ssh://${userInfo().username}@127.0.0.1:${port}${path}`,
    env: {
      ASSAY_SSH: `ssh -F none -i ${dir}/user -o IdentitiesOnly=yes -o UserKnownHostsFile=${dir}/known -o StrictHostKeyChecking=accept-new -o LogLevel=ERROR`,
    },
    async [Symbol.asyncDispose]() {
      server.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
