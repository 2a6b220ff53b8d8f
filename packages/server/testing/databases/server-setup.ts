import type { TestProject } from 'vitest/node'
import { bundleProgram } from '../processes/bundle.ts'
import { serverTemplates } from './templates.ts'

/** Vitest's global setup for the tests on a PostgreSQL server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [{ templates, remove }] = await Promise.all([serverTemplates(), bundleProgram(project)])
  project.provide('databaseTemplates', templates)
  return remove
}
