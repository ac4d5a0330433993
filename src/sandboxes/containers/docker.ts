import type { ContainerEngine } from "./engine.ts";

export const dockerEngine: ContainerEngine = {
  name: "docker",
  words: [],
  limits: () => [],
  isClients: (key) => key === "PATH" || key === "HOME" || key.startsWith("DOCKER_"),
  complaint: /^docker: |^\[FATAL tini/m,
  storageFormat: "{{.DockerRootDir}}",
  removeWords: ["--force", "--volumes"],
  showsFiles: () => false,
  versionFormat: "{{.Server.Version}}",
  advice: ({ isMissing, stderr }) =>
    isMissing
      ? "the program docker is not installed. On Debian: apt-get install docker.io"
      : `the docker engine can't be used (${stderr}). Start it (systemctl start docker), or become a member of the group docker.`,
};
