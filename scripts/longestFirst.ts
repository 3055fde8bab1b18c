import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The order of the projects. Those with long test files are last, so that a run ends with their many short files. */
const PROJECTS = ['tools', 'contract', 'console', 'console-dom', 'postgres', 'sqlite']
/** Matches the imports of tests that start servers and commands as processes, which take longest. */
const STARTS_PROCESSES = /\/(process|crash|operator)\.ts'/

/** Sorts test files so that no long one runs last, even without durations from an earlier run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it sorts nothing in place: this is no array's
    const sorted = await super.sort(files)
    const places = new Map(sorted.map((file) => [file, placeOf(file)]))
    return sorted.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0))
  }
}

const placeOf = ({ project, moduleId }: TestSpecification): number =>
  PROJECTS.indexOf(project.name) * 2 + (STARTS_PROCESSES.test(readFileSync(moduleId, 'utf8')) ? 0 : 1)
