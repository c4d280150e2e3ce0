/** The texts of mails and forms, by language and key. */
export const texts = {
  en: {
    'limits:challenge.without-script':
      'This form checks with JavaScript that no program sends it, and JavaScript is off.',
    'limits:challenge.other': 'Sign in another way.',
    'limits:new-device.subject': 'New sign-in to {name}',
    'limits:new-device.title': 'A new device signed in to {name}',
    'limits:new-device.lead':
      'Somebody signed in to your account with a browser that was not used for it before:',
    'limits:new-device.was-you': 'If that was you, there is nothing to do.',
    'limits:new-device.was-not-you':
      'If that was not you, somebody knows how to sign in to your account. Change your password, and sign out the devices that you do not recognise.',
    'limits:new-device.devices': 'See your devices',
    'limits:sign-out.forget': 'This is not my device: forget this browser',
  },
} as const

export type LimitsTextKey = keyof (typeof texts)['en']
