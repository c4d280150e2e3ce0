import type { ProblemTable } from '../../entries/plugin.ts'

/** The problems of this plugin. */
export const problems: ProblemTable = {
  last_factor: { status: 409, text: 'twoFactor:last_factor' },
  busy: { status: 503, text: 'twoFactor:busy' },
}
