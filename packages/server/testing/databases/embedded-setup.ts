import type { TestProject } from 'vitest/node'
import { bundleProgram } from '../processes/bundle.ts'
import { embeddedTemplates } from './templates.ts'

/** Vitest's global setup for the tests on the embedded database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [{ templates, remove }] = await Promise.all([embeddedTemplates(), bundleProgram(project)])
  project.provide('databaseTemplates', templates)
  return remove
}
