// Hits of sinew as three.js' intersections.

import { BackSide, DoubleSide, Matrix4, Ray, Vector2, Vector3 } from "three";

const inverse = new Matrix4();
const localRay = new Ray();
const [BOTH, FRONT] = [0, 1];

/**
 * Whether the groups and the draw range of a geometry begin at triangles, as three.js' own do not
 * have to.
 */
export function beginsAtTriangles({ geometry, material }) {
    const whole = ({ start }) => start % 3 === 0;
    return whole(geometry.drawRange) && (!Array.isArray(material) || geometry.groups.every(whole));
}

/** Adds the intersections of a mesh, posed by its skeleton as it is now. */
export function raycast(posed, raycaster, intersects) {
    const { mesh } = posed;
    const { material, geometry } = mesh;
    posed.update();
    localRay.copy(raycaster.ray).applyMatrix4(inverse.copy(mesh.matrixWorld).invert());
    const { origin, direction } = localRay;
    const parts = materialParts(mesh);
    const faces = parts.every(({ side }) => side !== BackSide && side !== DoubleSide) ? FRONT : BOTH;
    const { start, count } = geometry.drawRange;
    const isWhole = !Array.isArray(material) && material.side !== BackSide && start === 0 && count === Infinity;
    const ray = [origin.x, origin.y, origin.z, direction.x, direction.y, direction.z, Infinity, faces];
    if (raycaster.firstHitOnly === true && isWhole && raycaster.near <= 0) {
        const hit = posed.sinew.castNumbers(...ray);
        if (hit !== null) addHit(mesh, raycaster, hit, parts, intersects);
        return;
    }
    const first = intersects.length;
    for (const hit of posed.sinew.castAllNumbers(...ray)) {
        addHit(mesh, raycaster, hit, parts, intersects);
        if (raycaster.firstHitOnly === true && intersects.length > first) return;
    }
}

/** The ranges of corners that are drawn, with the sides of their material. */
function materialParts({ geometry, material }) {
    const { drawRange, groups } = geometry;
    const drawnEnd = drawRange.start + drawRange.count;
    const part = (start, end, found, materialIndex) => {
        return { start: Math.max(start, drawRange.start), end: Math.min(end, drawnEnd), side: found.side, materialIndex };
    };
    if (!Array.isArray(material)) return [part(0, Infinity, material, 0)];
    const used = groups.filter(({ materialIndex }) => material[materialIndex] !== undefined);
    return used.map(({ start, count, materialIndex }) => part(start, start + count, material[materialIndex], materialIndex));
}

function addHit(mesh, raycaster, hit, parts, intersects) {
    const corner = 3 * hit.triangle;
    for (const { start, end, side, materialIndex } of parts) {
        if (corner < start || corner >= end) continue;
        if (side !== DoubleSide && (side === BackSide) !== (hit.side === "back")) continue;
        const found = intersection(mesh, raycaster, hit, materialIndex);
        if (found !== null) intersects.push(found);
    }
}

function intersection(mesh, raycaster, hit, materialIndex) {
    const point = new Vector3().fromArray(hit.point).applyMatrix4(mesh.matrixWorld);
    const distance = raycaster.ray.origin.distanceTo(point);
    if (distance < raycaster.near || distance > raycaster.far) return null;
    const { index, attributes } = mesh.geometry;
    const [a, b, c] = [0, 1, 2].map((k) => (index === null ? 3 * hit.triangle + k : index.getX(3 * hit.triangle + k)));
    const barycoord = new Vector3().fromArray(hit.barycentrics);
    const found = { distance, point, object: mesh };
    if (attributes.uv) found.uv = interpolate(attributes.uv, a, b, c, barycoord, new Vector2());
    if (attributes.uv1) found.uv1 = interpolate(attributes.uv1, a, b, c, barycoord, new Vector2());
    if (attributes.normal) {
        found.normal = interpolate(attributes.normal, a, b, c, barycoord, new Vector3());
        if (found.normal.dot(localRay.direction) > 0) found.normal.multiplyScalar(-1);
    }
    found.face = { a, b, c, normal: new Vector3().fromArray(hit.normal), materialIndex };
    found.barycoord = barycoord;
    found.faceIndex = hit.triangle;
    const bone = mesh.skeleton.bones[hit.joint];
    found.jointIndex = bone === undefined ? -1 : hit.joint;
    found.joint = bone ?? null;
    return found;
}

function interpolate(attribute, a, b, c, { x, y, z }, target) {
    for (let part = 0; part < (target.isVector2 ? 2 : 3); part++) {
        const [atA, atB, atC] = [a, b, c].map((vertex) => attribute.getComponent(vertex, part));
        target.setComponent(part, atA * x + atB * y + atC * z);
    }
    return target;
}
