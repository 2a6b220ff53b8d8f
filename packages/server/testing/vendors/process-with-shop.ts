import { onTestFinished } from 'vitest'
import type { Address } from '../databases/address.ts'
import { createTestDatabase } from '../databases/database.ts'
import type { ServiceProcess } from '../processes/process.ts'
import { startForTest } from '../processes/process-of-test.ts'
import { provisionedSettings } from '../processes/provisioned.ts'
import { openShop, type Shop } from './shop.ts'

export interface ProcessWithShop {
  shop: Shop
  address: Address
  /** Those with which the service can be started again, beside the same shop. */
  settings: Record<string, string>
  service: ServiceProcess
}

/** Starts the program for the current test, on its own database, beside a shop from which it can fetch. */
export async function startWithShop(): Promise<ProcessWithShop> {
  const shop = await openShop({ host: 'localhost' })
  onTestFinished(() => shop.close())
  const { address, remove } = await createTestDatabase()
  onTestFinished(remove)
  const settings = { ...(await provisionedSettings(address)), ...shop.settings }
  return { shop, address, settings, service: await startForTest(settings) }
}
