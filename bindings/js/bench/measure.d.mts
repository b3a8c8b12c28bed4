import type { SkinnedMesh } from "three";

export interface Row {
    what: string;
    other: string;
    /** Microseconds. */
    sinew: number;
    theirs: number;
    ratio: number;
}

export function measure(mesh: SkinnedMesh, pose: (fraction: number) => void, options?: { rounds?: number; scale?: number }): Row[];
export function table(rows: Row[]): string;
