import { createDecipheriv, hkdfSync } from 'node:crypto'

/**
 * The least that opens a session and says whose it is: no options, no checks, no other action.
 *
 * @param {Request} request
 * @param {string} secret
 */
export function answer(request, secret) {
  const [name = '', token = ''] = (request.headers.get('cookie') ?? '').split('=')
  const [header = '', , iv = '', ciphertext = '', tag = ''] = token.split('.')
  const info = `Auth.js Generated Encryption Key (${name})`
  const key = new Uint8Array(hkdfSync('sha256', secret, name, info, 32))
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
  decipher.setAAD(Buffer.from(header))
  decipher.setAuthTag(Buffer.from(tag, 'base64url'))
  const text = decipher.update(ciphertext, 'base64url', 'utf8') + decipher.final('utf8')
  const { name: user, exp } = JSON.parse(text)
  const session = { user: { name: user }, expires: new Date(exp * 1000).toISOString() }
  return new Response(JSON.stringify(session), {
    headers: {
      'cache-control': 'private, no-cache, no-store',
      expires: '0',
      pragma: 'no-cache',
      'content-type': 'application/json',
    },
  })
}
