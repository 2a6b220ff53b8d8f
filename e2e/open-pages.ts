import type { Page } from '@playwright/test'

/** It is apart from `chromium.ts` because what runs the tests of every file reads it, and Playwright is large. */
const open = new Set<Page>()

export function noteOpen(page: Page): void {
  open.add(page)
  page.on('close', () => open.delete(page))
}

const mostCharacters = 3000
const limitMs = 5000

/** Prints what the pages of this worker show, because a step that waited in vain says only what was missing. */
export async function printOpenPages(test: string): Promise<void> {
  for (const page of open) {
    const text = await page.locator('body').innerText({ timeout: limitMs }).catch(String)
    console.warn(`A page that was open when "${test}" failed: ${page.url()}\n${text.slice(0, mostCharacters)}`)
  }
}
