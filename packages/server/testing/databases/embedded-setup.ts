import type { TestProject } from 'vitest/node'
import { embeddedTemplates } from './templates.ts'

/** Vitest's global setup for the tests on the embedded database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { templates, remove } = await embeddedTemplates()
  project.provide('databaseTemplates', templates)
  return remove
}
