/** The flag and its description, for every command that reads the configuration file. */
export const CONFIG_FLAG = [
  '-c, --config <file>',
  'configuration file (default: latchkey.config.ts, .mts, .js, .mjs or .json here)',
] as const
