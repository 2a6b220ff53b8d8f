import { expect, test } from 'vitest'
import { notFoundText } from './not-found-text.ts'

test.each([
  ['/api/v1/me', '/api/v1/me', 'Resource not found.'],
  ['/api/v1/projects/:projectId', '/api/v1/projects/web?limit=2', 'Project "web" was not found.'],
  ['/p/:projectId', '/p/%E2%9C%93%22', 'Project "✓\\"" was not found.'],
  ['/p/:projectId', '/p/%', 'Project "%" was not found.'],
  [
    '/p/:projectId/flags/:flagId/envs/:envId/run',
    '/p/web/flags/checkout/envs/prod/run',
    'Not found: project "web", flag "checkout", environment "prod". Check each of them, and what the credential can see.',
  ],
])('%s asked as %s answers %s', (pattern, address, text) => expect(notFoundText(pattern, address)).toBe(text))

test('a long name is cut', () =>
  expect(notFoundText('/p/:projectId', `/p/${'x'.repeat(500)}`).length).toBeLessThan(150))
