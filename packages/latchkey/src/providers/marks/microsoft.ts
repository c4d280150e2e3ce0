// Made by tools/marks.ts. Do not change it here.
import type { ColouredMark } from '../../options/provider-options.ts'

/** Microsoft in the colours of its owner (https://learn.microsoft.com/entra/identity-platform/howto-add-branding-in-apps). */
export const colouredMark: ColouredMark = {
  viewBox: '0 0 21 21',
  paths: [
    { fill: '#F25022', d: 'M0 0h10v10H0z' },
    { fill: '#7FBA00', d: 'M11 0h10v10H11z' },
    { fill: '#00A4EF', d: 'M0 11h10v10H0z' },
    { fill: '#FFB900', d: 'M11 11h10v10H11z' },
  ],
}
