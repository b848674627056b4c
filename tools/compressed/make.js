// Compresses the dancer and a picture with the encoders of others, into tests/files: what is read is not what we wrote ourselves.
// `npm install --no-package-lock && npm run make` in this folder.

import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, EXTTextureWebP, KHRDracoMeshCompression, KHRMeshQuantization, KHRTextureBasisu } from '@gltf-transform/extensions';
import { dedup, prune, quantize, simplify, weld } from '@gltf-transform/functions';
import draco3d from 'draco3dgltf';
import { encodeToKTX2 } from 'ktx2-encoder';
import { MeshoptDecoder, MeshoptEncoder, MeshoptSimplifier } from 'meshoptimizer';
import sharp from 'sharp';

const out = new URL('../../tests/files/', import.meta.url);
const dancer = new URL('../../assets/dancer.glb', import.meta.url);
mkdirSync(out, { recursive: true });
const write = (name, bytes) => {
    writeFileSync(new URL(name, out), bytes);
    console.log(`${name}: ${bytes.length} bytes`);
};

// Stripes and a slope, with a hole of half opacity; tests/files/compressed.rs paints the same.
const SIDE = 64;
function picture() {
    const rgba = new Uint8Array(4 * SIDE * SIDE);
    for (let y = 0; y < SIDE; y++) {
        for (let x = 0; x < SIDE; x++) {
            const ring = (x - 40) ** 2 + (y - 24) ** 2 < 196;
            const stripe = Math.abs(((x + 2 * y) % 32) - 16);
            rgba.set([60 + 9 * stripe, 40 + 7 * stripe + y, 90 + 5 * stripe, ring ? 128 : 255], 4 * (y * SIDE + x));
        }
    }
    return rgba;
}

async function pictures() {
    const raw = () => sharp(picture(), { raw: { width: SIDE, height: SIDE, channels: 4 } });
    const png = new Uint8Array(await raw().png().toBuffer());
    const imageDecoder = async () => ({ width: SIDE, height: SIDE, data: picture() });
    const ktx2 = (options) => encodeToKTX2(png, { imageDecoder, generateMipmap: false, isPerceptual: true, isSetKTX2SRGBTransferFunc: true, ...options });
    const made = {
        'paint.webp': new Uint8Array(await raw().webp({ quality: 80 }).toBuffer()),
        'paint-lossless.webp': new Uint8Array(await raw().webp({ lossless: true }).toBuffer()),
        'paint-etc1s.ktx2': await ktx2({ isUASTC: false, qualityLevel: 255, compressionLevel: 4 }),
        'paint-uastc.ktx2': await ktx2({ isUASTC: true, needSupercompression: false }),
        'paint-uastc-zstd.ktx2': await ktx2({ isUASTC: true, needSupercompression: true }),
    };
    Object.entries(made).forEach(([name, bytes]) => write(name, bytes));
    return made;
}

// The dancer of few triangles, with texture coordinates around her, a picture on all of her, and some joints' part of a clip.
async function painted(io, picture, mimeType, moving) {
    const document = await io.readBinary(new Uint8Array(readFileSync(dancer)));
    const root = document.getRoot();
    for (const animation of root.listAnimations()) {
        const channels = animation.getName() === 'walk' ? animation.listChannels() : [];
        const kept = channels.filter((channel) => moving.includes(channel.getTargetNode().getName()));
        animation.listChannels().filter((channel) => !kept.includes(channel)).forEach((channel) => {
            channel.getSampler().dispose();
            channel.dispose();
        });
        if (kept.length === 0) animation.dispose();
    }
    await document.transform(weld(), simplify({ simplifier: MeshoptSimplifier, ratio: 0.05, error: 0.03 }), prune(), dedup());
    const texture = picture && document.createTexture('paint').setImage(picture).setMimeType(mimeType);
    for (const material of picture ? root.listMaterials() : []) {
        material.setBaseColorTexture(texture).setBaseColorFactor([1, 1, 1, 1]);
    }
    for (const primitive of root.listMeshes().flatMap((mesh) => mesh.listPrimitives())) {
        const positions = primitive.getAttribute('POSITION');
        const uvs = new Float32Array(2 * positions.getCount());
        for (let i = 0; i < positions.getCount(); i++) {
            const [x, y, z] = positions.getElement(i, []);
            uvs.set([0.5 + Math.atan2(x, z) / (2 * Math.PI), 1 - y / 1.8], 2 * i);
        }
        primitive.setAttribute('TEXCOORD_0', document.createAccessor().setType('VEC2').setArray(uvs));
    }
    return document;
}

async function characters(io, made) {
    write('dancer-plain.glb', await io.writeBinary(await painted(io, null, '', [])));

    const meshopt = await painted(io, made['paint-etc1s.ktx2'], 'image/ktx2', ['hips', 'leftUpperArm']);
    meshopt.createExtension(KHRTextureBasisu).setRequired(true);
    meshopt.createExtension(KHRMeshQuantization).setRequired(true);
    await meshopt.transform(quantize({ quantizePosition: 14, quantizeNormal: 8, quantizeTexcoord: 12, quantizeWeight: 8 }));
    meshopt.createExtension(EXTMeshoptCompression).setRequired(true)
        .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.FILTER });
    write('dancer-meshopt.glb', await io.writeBinary(meshopt));

    const draco = await painted(io, made['paint.webp'], 'image/webp', []);
    draco.createExtension(EXTTextureWebP).setRequired(true);
    draco.createExtension(KHRDracoMeshCompression).setRequired(true).setEncoderOptions({
        method: KHRDracoMeshCompression.EncoderMethod.EDGEBREAKER,
        quantizationBits: { POSITION: 14, NORMAL: 8, COLOR: 8, TEX_COORD: 12, GENERIC: 12 },
    });
    write('dancer-draco.glb', await io.writeBinary(draco));
}

// Marsaglia's xorshift.
let state = 0x5eedcafe;
function random() {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
}

// Every mode and filter: the stream in each version that there is, and what they become.
async function streams() {
    const list = [];
    const text = (bytes) => Buffer.from(bytes).toString('base64');
    const add = (mode, filter, stride, count, source) => {
        const versions = mode === 'ATTRIBUTES' ? [0, 1] : [1];
        const packed = versions.map((version) =>
            version === 1 && mode === 'ATTRIBUTES'
                ? MeshoptEncoder.encodeVertexBufferLevel(source, count, stride, 3, version)
                : MeshoptEncoder.encodeGltfBuffer(source, count, stride, mode, version));
        const plain = packed.map((stream) => {
            const bytes = new Uint8Array(count * stride);
            MeshoptDecoder.decodeGltfBuffer(bytes, count, stride, stream, mode, filter);
            return text(bytes);
        });
        if (plain.some((bytes) => bytes !== plain[0])) throw new Error(`versions differ: ${mode} ${filter} ${stride}`);
        list.push({ mode, filter, stride, count, packed: packed.map(text), plain: plain[0] });
    };
    const bytes = (array) => new Uint8Array(array.buffer);
    const walk = (count, step) => {
        let at = 0;
        return Float32Array.from({ length: count }, () => (at += step * (random() - 0.5)));
    };
    for (const [count, stride] of [[1, 4], [16, 4], [37, 12], [300, 8], [132, 64], [17, 256]]) {
        const slope = (_, i) => Math.floor(i / stride) + (i % stride) + (random() < 0.02 ? 90 * random() : 0);
        add('ATTRIBUTES', 'NONE', stride, count, Uint8Array.from({ length: count * stride }, slope));
    }
    add('ATTRIBUTES', 'NONE', 8, 100, bytes(Uint16Array.from({ length: 400 }, (_, i) => 40 * i + 500 * random())));
    add('ATTRIBUTES', 'NONE', 12, 90, bytes(walk(270, 0.1)));
    add('ATTRIBUTES', 'NONE', 8, 90, bytes(Float32Array.from({ length: 180 }, (_, i) => 1.5 ** (i % 7) * (i % 3 - 1))));
    add('ATTRIBUTES', 'NONE', 4, 40, Uint8Array.from({ length: 160 }, () => 256 * random()));
    add('ATTRIBUTES', 'NONE', 4, 64, new Uint8Array(256).fill(7));
    const units = (width) => {
        const all = [];
        for (let i = 0; i < 50; i++) {
            const v = Array.from({ length: width }, () => random() - 0.5);
            const length = Math.hypot(...v);
            all.push(...v.map((c) => c / length), ...Array(4 - width).fill(1));
        }
        return Float32Array.from(all);
    };
    add('ATTRIBUTES', 'OCTAHEDRAL', 4, 50, MeshoptEncoder.encodeFilterOct(units(3), 50, 4, 8));
    add('ATTRIBUTES', 'OCTAHEDRAL', 8, 50, MeshoptEncoder.encodeFilterOct(units(3), 50, 8, 12));
    add('ATTRIBUTES', 'QUATERNION', 8, 50, MeshoptEncoder.encodeFilterQuat(units(4), 50, 8, 12));
    add('ATTRIBUTES', 'EXPONENTIAL', 12, 60, MeshoptEncoder.encodeFilterExp(walk(180, 3), 60, 12, 15));
    const colors = Float32Array.from({ length: 160 }, random);
    add('ATTRIBUTES', 'COLOR', 4, 40, MeshoptEncoder.encodeFilterColor(colors, 40, 4, 8));
    add('ATTRIBUTES', 'COLOR', 8, 40, MeshoptEncoder.encodeFilterColor(colors, 40, 8, 12));
    const grid = [];
    for (let y = 0; y < 9; y++) {
        for (let x = 0; x < 9; x++) {
            const a = 10 * y + x;
            grid.push(a, a + 1, a + 11, a, a + 11, a + 10);
        }
    }
    const loose = Array.from({ length: 60 }, () => Math.floor(90 * random()));
    for (const [stride, type] of [[2, Uint16Array], [4, Uint32Array]]) {
        add('TRIANGLES', 'NONE', stride, grid.length, bytes(type.from(grid)));
        add('TRIANGLES', 'NONE', stride, loose.length, bytes(type.from(loose)));
        add('INDICES', 'NONE', stride, loose.length, bytes(type.from(loose)));
    }
    write('meshopt-streams.json', Buffer.from(JSON.stringify(list)));
}

await MeshoptEncoder.ready;
await MeshoptDecoder.ready;
await MeshoptSimplifier.ready;
const io = new NodeIO()
    .registerExtensions([EXTMeshoptCompression, EXTTextureWebP, KHRDracoMeshCompression, KHRMeshQuantization, KHRTextureBasisu])
    .registerDependencies({
        'draco3d.encoder': await draco3d.createEncoderModule(),
        'draco3d.decoder': await draco3d.createDecoderModule(),
        'meshopt.encoder': MeshoptEncoder,
        'meshopt.decoder': MeshoptDecoder,
    });
const made = await pictures();
await characters(io, made);
await streams();
