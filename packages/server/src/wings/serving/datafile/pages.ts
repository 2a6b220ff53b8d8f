import { type WebSection, webSectionOf } from '../../model/web/index.ts'
import type { StoredDataFile } from './file.ts'

const readings = new WeakMap<object, WebSection>()

/** What pages get besides a data file of a web project. A file is read once, by whoever asks first. */
export function pagesOf(file: Pick<StoredDataFile, 'sections' | 'revision'>): WebSection {
  const reading = readings.get(file) ?? webSectionOf(file.sections.web, file.revision)
  readings.set(file, reading)
  return reading
}
