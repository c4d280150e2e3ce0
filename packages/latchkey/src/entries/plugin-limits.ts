/**
 * Limits for a plugin that guards secrets: its `limits` also hold in a configuration without the plugin `limits`.
 *
 * @module
 */

export { limitsOfPlugins, warnWithoutLimits } from '../plugins/limits/of-plugins.ts'
export { type AccountAction, accountRules } from '../plugins/limits/rules/account-rules.ts'
