/** A process as Linux tells it in /proc/PID/stat. */
export interface ProcStat {
  parent: number;
  group: number;
  session: number;
  /** Processor time of it and of the children that it has waited for. */
  cpuTicks: number;
  /** In the kernel's ticks. With the number it tells a process from a later one of the same number. */
  startedAt: string;
  rssPages: number;
  isDead: boolean;
  isKernels: boolean;
}

export const TICKS_PER_SECOND = 100;
const PF_KTHREAD = 0x0020_0000;

export function parseStat(text: string): ProcStat {
  // The name, in brackets, may hold anything; after it come the third field and the rest.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number) as [number, number, number, number];
  return {
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    cpuTicks: utime + stime + cutime + cstime,
    startedAt: fields[19]!,
    rssPages: Number(fields[21]),
    isDead: /^[ZXx]/.test(fields[0]!),
    isKernels: (Number(fields[6]) & PF_KTHREAD) !== 0,
  };
}
