import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BODY_LIMIT, formText, isRepeated, readForm, UnreadableBody } from './form.ts'

const FORM = 'application/x-www-form-urlencoded'

function post(type: string | undefined, body: BodyInit, headers: HeadersInit = {}): Request {
  const all = new Headers(headers)
  if (type !== undefined) all.set('content-type', type)
  return new Request('https://app.example/', {
    method: 'POST',
    headers: all,
    body,
    // @ts-expect-error: a stream needs it, and the types do not know it
    duplex: 'half',
  })
}

/** A body that comes in pieces and says nothing about its length. @param pulled counts what was asked for */
function stream(
  piece: Uint8Array<ArrayBuffer>,
  times: number,
  pulled: { count: number },
): ReadableStream {
  return new ReadableStream(
    {
      pull(controller) {
        if (pulled.count++ < times) controller.enqueue(piece)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

describe('a form', () => {
  test('is read from JSON, with and without parameters of the type', async () => {
    const body = JSON.stringify({ a: 'x', b: { c: 1 } })
    expect({ ...(await readForm(post('application/json', body))) }).toEqual({ a: 'x', b: { c: 1 } })
    expect({ ...(await readForm(post('application/json; charset=utf-8', body))) }).toEqual({
      a: 'x',
      b: { c: 1 },
    })
  })

  test('is read from form-encoding: the last of a name counts, and a name without a value is empty', async () => {
    const form = await readForm(post(FORM, 'a=1&b&a=2&c=%20+%C3%A4'))
    expect({ ...form }).toEqual({ a: '2', b: '', c: '  ä' })
  })

  test('is read back as URLSearchParams wrote it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })),
        async (fields) => {
          const body = new URLSearchParams(Object.entries(fields)).toString()
          expect(Object.entries(await readForm(post(FORM, body)))).toEqual(Object.entries(fields))
        },
      ),
    )
  })

  for (const type of [
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/problem+json',
  ]) {
    test(`has no fields in ${type}`, async () => {
      expect(Object.keys(await readForm(post(type, '{"a":1}')))).toEqual([])
    })
  }

  test('has no fields without a content type', async () => {
    expect(Object.keys(await readForm(post(undefined, new Uint8Array([123]))))).toEqual([])
  })

  for (const body of ['"text"', '1', 'null', '[1]', 'true']) {
    test(`has no fields in the JSON value ${body}`, async () => {
      expect(Object.keys(await readForm(post('application/json', body)))).toEqual([])
    })
  }

  for (const body of ['', '{', '{"a":1}x', "{'a':1}"]) {
    test(`is not read from ${JSON.stringify(body)}`, async () => {
      await expect(readForm(post('application/json', body))).rejects.toBeInstanceOf(UnreadableBody)
    })
  }

  test('T-LINK-9: may have a field named __proto__, which changes nothing else', async () => {
    const bodies: [string, string][] = [
      ['application/json', '{"__proto__":{"admin":true},"constructor":"x"}'],
      [FORM, '__proto__=admin&constructor=x'],
    ]
    for (const [type, body] of bodies) {
      const form = await readForm(post(type, body))
      expect(Object.keys(form)).toEqual(['__proto__', 'constructor'])
      expect(Object.getPrototypeOf(form)).toBeNull()
      expect(form['admin']).toBeUndefined()
      expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
    }
  })

  test('cannot be changed after it was read', async () => {
    const form = (await readForm(post(FORM, 'a=1'))) as Record<string, unknown>
    expect(() => {
      form['a'] = '2'
    }).toThrow(TypeError)
  })
})

describe('T-FLOW-5: a body', () => {
  test('of exactly a mebibyte is read', async () => {
    const form = await readForm(post(FORM, `a=${'x'.repeat(BODY_LIMIT - 2)}`))
    expect(formText(form, 'a')).toHaveLength(BODY_LIMIT - 2)
  })

  test('of one byte more than a mebibyte is refused', async () => {
    await expect(readForm(post(FORM, `a=${'x'.repeat(BODY_LIMIT - 1)}`))).rejects.toBeInstanceOf(
      UnreadableBody,
    )
  })

  test('is not read if its declared length is too long', async () => {
    const pulled = { count: 0 }
    const request = post(FORM, stream(new Uint8Array(10), 1, pulled), {
      'content-length': String(BODY_LIMIT + 1),
    })
    await expect(readForm(request)).rejects.toBeInstanceOf(UnreadableBody)
    expect(pulled.count).toBe(0)
  })

  test('is not read further once it is too long', async () => {
    const pulled = { count: 0 }
    const piece = new Uint8Array(256 * 1024).fill(97)
    const request = post(FORM, stream(piece, Number.POSITIVE_INFINITY, pulled))
    await expect(readForm(request)).rejects.toBeInstanceOf(UnreadableBody)
    expect(pulled.count).toBeLessThanOrEqual(6)
  })

  test('is measured in bytes, not in characters', async () => {
    const body = JSON.stringify({ a: 'ä'.repeat(BODY_LIMIT / 2) })
    await expect(readForm(post('application/json', body))).rejects.toBeInstanceOf(UnreadableBody)
  })

  test('may be split within a character', async () => {
    const bytes = new TextEncoder().encode('{"a":"ä"}')
    const at = bytes.indexOf(0xc3) + 1
    const pieces = [bytes.slice(0, at), bytes.slice(at)]
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
    expect(formText(await readForm(post('application/json', body)), 'a')).toBe('ä')
  })
})

describe('the text of a field', () => {
  test('is returned only if it is a text and not empty', () => {
    const form = { text: 'x', empty: '', number: 1, list: ['x'], object: { x: 1 } }
    expect(formText(form, 'text')).toBe('x')
    for (const name of ['empty', 'number', 'list', 'object', 'missing', 'toString2']) {
      expect(formText(form, name)).toBeUndefined()
    }
  })
})

test('a field that was sent twice is recognized, and the last one counts', async () => {
  const form = await readForm(
    new Request('https://app.example', {
      method: 'POST',
      body: new URLSearchParams('code=a&code=b&state=c'),
    }),
  )
  expect(form['code']).toBe('b')
  expect([isRepeated(form, 'code'), isRepeated(form, 'state')]).toEqual([true, false])
})
