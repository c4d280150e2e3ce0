/** The secret of both sides. */
export const SECRET = 'latchkey-test-secret-0123456789abcdef'

/** A CSRF token that both sides made, and the cookie that proves it. */
export const CSRF_TOKEN = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
export const CSRF_COOKIE: string = `${CSRF_TOKEN}%7C4b18d4465c4e9cd996d989155e7082a7c4ad95eedb0ebb110dac31da077e6b89`
