import { expect, test } from 'vitest'
import { digestOf } from './digest.ts'

test.each([
  [['provider-token', 'github', '583231'], 'jNd12mPVYyn8D_P_4fZ_Fdk4nJg42EX4gxvpdiT7X-Y'],
  [
    ['op-session', 'https://idp.example', 'client-1', '08a5019c-17e1-4977-8f42-65a12843ea02'],
    '8Lb0cDRsGW7lxAtQcKT0hFXTauy88IJpi0XkGNjBSeM',
  ],
])('the digest of %j', async (parts, digest) => {
  expect(await digestOf(...parts)).toBe(digest)
})

test('texts with another division have another digest', async () => {
  expect(await digestOf('ab', 'c')).not.toBe(await digestOf('a', 'bc'))
})
