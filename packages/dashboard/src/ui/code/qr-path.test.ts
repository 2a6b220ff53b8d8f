import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { qrPath } from './qr-path.ts'

it('the path draws every dark module and no other', () => {
  const text = 'otpauth://totp/svc.test:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=svc.test'
  const { path, size } = qrPath(text)
  const { data } = encode(text, { ecc: 'M', border: 4 })
  const drawn = data.map((row) => row.map(() => false))
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let step = 0; step < Number(length); step += 1) drawn[Number(y)]![Number(x) + step] = true
  expect(size).toBe(data.length)
  expect(drawn).toEqual(data)
})
