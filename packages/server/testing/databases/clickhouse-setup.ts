import type { TestProject } from 'vitest/node'
import { startClickHouse } from './clickhouse.ts'

/** Vitest's global setup for the tests on ClickHouse. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startClickHouse()
  project.provide('clickHouseUrl', server.url)
  return () => server.stop()
}
