import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { serveEditor } from './editor.ts'

test('the page of the editor looks up two sessions at once, and others wait', async () => {
  const app = Fastify()
  const answers: (() => void)[] = []
  await serveEditor(app, () => new Promise((resolve) => answers.push(() => resolve('https://shop.example'))))
  const pages = [1, 2, 3].map((id) => app.inject({ url: `/web/editor/${id}?sdkKey=sdk_1` }))
  await expect.poll(() => answers.length).toBe(2)
  answers[0]!()
  await expect.poll(() => answers.length).toBe(3)
  for (const answer of answers) answer()
  expect((await Promise.all(pages)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  await app.close()
})
