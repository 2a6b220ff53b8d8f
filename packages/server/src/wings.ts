import type { Platform } from './open-platform.ts'
import { openCommerce } from './wings/commerce/index.ts'
import { openFlags } from './wings/flags/index.ts'
import { openMeasuring } from './wings/measuring/index.ts'
import { openPeople } from './wings/people/index.ts'
import { openRecord } from './wings/record/index.ts'
import { openServing } from './wings/serving/index.ts'
import { openTelling } from './wings/telling/index.ts'

/** Every wing, in the order of their imports. They start in this order and stop in reverse. */
export async function openWings(platform: Platform) {
  const people = await openPeople(platform)
  const serving = openServing(platform)
  const flags = openFlags(platform, serving)
  const measuring = openMeasuring(platform, serving, flags)
  const commerce = openCommerce(platform, serving, flags, measuring)
  const telling = openTelling(platform)
  const record = openRecord(platform, measuring)
  return { people, serving, flags, measuring, commerce, telling, record }
}

export type Wings = Awaited<ReturnType<typeof openWings>>
