import { optionError } from '../../entries/plugin.ts'

/** The options of the plugin that have members. */
type Option = 'apiKeys' | 'device' | 'jwt' | 'native'

/** @throws {TypeError} that names the option. */
export function refuse(option: Option, fault: string): never {
  throw optionError(`tokens({ ${option} }): ${fault}`, 'tokens')
}
