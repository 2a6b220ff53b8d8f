import { onTestFinished } from 'vitest'
import { type ServiceProcess, startProcess } from './process.ts'

/** Starts the program for the current test. A test that fails leaves nothing running. */
export async function startForTest(settings: Record<string, string>, command?: string[]): Promise<ServiceProcess> {
  const started = await startProcess(settings, undefined, command)
  onTestFinished(() => started.kill())
  return started
}
