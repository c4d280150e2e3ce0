const json =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    Response.json(body, init)
const text =
  (body: BodyInit | null, type = 'application/json', status = 200) =>
  () =>
    new Response(body, { status, headers: { 'content-type': type } })
export const goodTokens = { access_token: 'access-carol', token_type: 'bearer' }

/** Token responses that are none, of any provider. */
export const malformedTokenResponses: Readonly<Record<string, () => Response>> = {
  nothing: text(null),
  'an empty text': text(''),
  text: text('ok', 'text/plain'),
  'a page': text('<html>', 'text/html'),
  'a form': text('access_token=x&token_type=bearer', 'application/x-www-form-urlencoded'),
  'half a JSON': text('{"access_token":"x","token_type":"bear'),
  'JSON with something after it': text(`${JSON.stringify(goodTokens)}{}`),
  null: json(null),
  'a list': json([goodTokens]),
  'a text in JSON': json('access_token'),
  'a number': json(1),
  true: json(true),
  'an empty object': json({}),
  'no access token': json({ token_type: 'bearer' }),
  'an empty access token': json({ ...goodTokens, access_token: '' }),
  'null as access token': json({ ...goodTokens, access_token: null }),
  'a number as access token': json({ ...goodTokens, access_token: 1 }),
  'a list as access token': json({ ...goodTokens, access_token: ['access-carol'] }),
  'an object as access token': json({ ...goodTokens, access_token: { value: 'x' } }),
  'no token type': json({ access_token: 'access-carol' }),
  'an empty token type': json({ ...goodTokens, token_type: '' }),
  'a number as token type': json({ ...goodTokens, token_type: 1 }),
  'an unknown token type': json({ ...goodTokens, token_type: 'mac' }),
  'a text as lifetime': json({ ...goodTokens, expires_in: 'soon' }),
  'a negative lifetime': json({ ...goodTokens, expires_in: -1 }),
  'a list as scope': json({ ...goodTokens, scope: ['a'] }),
  'a number as refresh token': json({ ...goodTokens, refresh_token: 1 }),
  'an empty refresh token': json({ ...goodTokens, refresh_token: '' }),
  'an error with status 200': json({ error: 'invalid_grant' }),
  'status 201': json(goodTokens, { status: 201 }),
  'status 400': json(goodTokens, { status: 400 }),
  'status 401': json(goodTokens, { status: 401, headers: { 'www-authenticate': 'Basic' } }),
  'status 500': json(goodTokens, { status: 500 }),
  'a redirect': () =>
    new Response(null, { status: 307, headers: { location: 'https://acme.example/t2' } }),
  'more than a megabyte': text(JSON.stringify({ ...goodTokens, padding: 'x'.repeat(1_100_000) })),
  'a byte order of its own': text(new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])),
}

/** What is wrong with an ID token: it, or claims of it. */
export const wrongIdTokens: Readonly<Record<string, Record<string, unknown> | string | null>> = {
  'no ID token': null,
  'an empty ID token': '',
  'text as ID token': 'x',
  'two parts': 'eyJhbGciOiJSUzI1NiJ9.e30',
  'five parts': 'eyJhbGciOiJkaXIifQ..a.b.c',
  'an ID token without signature': `${btoa('{"alg":"none"}').replaceAll('=', '')}.e30.`,
  'another issuer': { iss: 'https://evil.example' },
  'an issuer with a slash more': { iss: 'https://corp.example/' },
  'another audience': { aud: 'other' },
  'two audiences and no party': { aud: ['client', 'other'] },
  'no subject': { sub: undefined },
  'an empty subject': { sub: '' },
  'a number as subject': { sub: 1 },
  'an end that has passed': { exp: 1 },
  'no end': { exp: undefined },
  'a text as end': { exp: 'never' },
  'another nonce': { nonce: 'fixed' },
  'no nonce': { nonce: undefined },
  'not yet valid': { nbf: 4_102_444_800 },
}
