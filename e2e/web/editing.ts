import type { Frame, Page } from '@playwright/test'
import { expect } from 'vitest'

/** The frame of the editor on a page, when it has read the experiment with this name. */
export async function frameOf(page: Page, experiment: string): Promise<Frame> {
  const isFrame = (each: Frame) => each.url().includes('/web/editor/')
  await expect.poll(() => page.frames().some(isFrame)).toBe(true)
  const frame = page.frames().find(isFrame)!
  await frame.getByRole('heading', { name: experiment }).waitFor()
  return frame
}
