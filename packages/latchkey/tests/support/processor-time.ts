/** Milliseconds of a processor that this process has used. Unlike a clock, it does not count other work on the machine. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
