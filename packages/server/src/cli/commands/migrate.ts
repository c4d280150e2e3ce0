import { Command } from 'commander'
export function migrateCommand(): Command {
  return new Command('migrate')
}
