// The adapter of three.js: three.js animates, sinew skins and answers.

import { Box3, BufferAttribute, BufferGeometry, Sphere } from "three";

import { PosedMesh } from "./three-mesh.js";
import { beginsAtTriangles, raycast } from "./three-raycast.js";

export { init, onMemoryGrowth } from "./core.js";

const METHODS = ["raycast", "computeBoundingBox", "computeBoundingSphere", "getVertexPosition"];
const accelerated = new WeakMap();

/** What sinew keeps for a mesh: of `accelerate`, or made here. */
function posedOf(mesh) {
    return accelerated.get(mesh)?.posed ?? new PosedMesh(mesh);
}

/** Gives a mesh sinew's ray casts, bounds and vertex positions. Returns the mesh. */
export function accelerate(mesh) {
    if (accelerated.has(mesh)) return mesh;
    const posed = new PosedMesh(mesh);
    const before = METHODS.map((name) => [name, Object.getOwnPropertyDescriptor(mesh, name)]);
    const original = Object.fromEntries(METHODS.map((name) => [name, mesh[name]]));
    const methods = {
        raycast(raycaster, intersects) {
            if (this.material === undefined) return;
            if (beginsAtTriangles(this)) raycast(posed, raycaster, intersects);
            else original.raycast.call(this, raycaster, intersects);
        },
        computeBoundingBox() {
            this.boundingBox ??= new Box3();
            posed.update();
            setBox(this.boundingBox, posed.box());
        },
        computeBoundingSphere() {
            this.boundingSphere ??= new Sphere();
            posed.update();
            setSphere(this.boundingSphere, posed);
        },
        getVertexPosition(index, target) {
            if (!(index >= 0 && index < posed.sinew.vertexCount)) return original.getVertexPosition.call(this, index, target);
            if (!posed.isCurrentAt(index)) posed.update();
            return target.fromArray(posed.positions(), 3 * index);
        },
    };
    for (const name of METHODS) {
        Object.defineProperty(mesh, name, { value: methods[name], configurable: true, writable: true, enumerable: false });
    }
    accelerated.set(mesh, { posed, before });
    return mesh;
}

/** Accelerates all skinned meshes below an object; meshes that cannot be are left as they are. */
export function accelerateScene(root) {
    if (root?.isObject3D !== true) throw new TypeError("root: expected an Object3D of three.js");
    const result = { accelerated: [], skipped: [] };
    root.traverse((object) => {
        if (object.isSkinnedMesh !== true) return;
        try {
            result.accelerated.push(accelerate(object));
        } catch (error) {
            result.skipped.push({ mesh: object, error });
        }
    });
    return result;
}

/** Gives a mesh its own methods back and frees what sinew kept for it. */
export function restore(mesh) {
    const { posed, before } = accelerated.get(mesh) ?? {};
    if (posed === undefined) return;
    for (const [name, descriptor] of before) {
        if (descriptor === undefined) delete mesh[name];
        else Object.defineProperty(mesh, name, descriptor);
    }
    accelerated.delete(mesh);
    posed.dispose();
}

/** Skins the whole mesh and refits its BVH, before many rays in one pose. */
export function refit(mesh) {
    const { posed } = accelerated.get(mesh) ?? {};
    if (posed === undefined) throw new TypeError("mesh: expected an accelerated mesh");
    posed.update();
    posed.sinew.refit();
}

/** The mesh in its pose as a geometry without skin and morph targets, in the mesh's own space. */
export function skinGeometry(mesh, target = new BufferGeometry()) {
    const isKnown = accelerated.has(mesh);
    const posed = posedOf(mesh);
    posed.update();
    const { attributes, index, groups, drawRange } = mesh.geometry;
    const has = { normals: attributes.normal !== undefined, tangents: attributes.normal && attributes.tangent !== undefined };
    const { positions, normals, tangents } = posed.skin({ normals: has.normals, tangents: has.tangents === true });
    setAttribute(target, "position", positions, 3);
    if (has.normals) setAttribute(target, "normal", normals, 3);
    if (has.tangents) setAttribute(target, "tangent", tangents, 4);
    const moved = ["position", "normal", "tangent", "skinIndex", "skinWeight"];
    for (const [name, attribute] of Object.entries(attributes)) {
        if (!moved.includes(name) && target.getAttribute(name) !== attribute) target.setAttribute(name, attribute);
    }
    if (target.index !== index) target.setIndex(index);
    target.groups = groups.map((group) => ({ ...group }));
    target.setDrawRange(drawRange.start, drawRange.count);
    target.boundingBox ??= new Box3();
    setBox(target.boundingBox, posed.box());
    target.boundingSphere ??= new Sphere();
    setSphere(target.boundingSphere, posed);
    if (!isKnown) posed.dispose();
    return target;
}

function setAttribute(geometry, name, numbers, size) {
    const found = geometry.getAttribute(name);
    if (found?.array instanceof Float32Array && found.array.length === numbers.length && found.itemSize === size) {
        found.array.set(numbers);
        found.needsUpdate = true;
    } else {
        geometry.setAttribute(name, new BufferAttribute(numbers.slice(), size));
    }
}

function setBox(box, found) {
    if (found === null) return box.makeEmpty();
    box.min.fromArray(found.min);
    return box.max.fromArray(found.max);
}

function setSphere(sphere, posed) {
    const { center, radius } = posed.sphere();
    sphere.center.fromArray(center);
    sphere.radius = radius;
}
